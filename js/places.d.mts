/** The texts of js/places.json and crates/frame/src/places/counties.json, as the packages have them. */
export function tables(): { places: string; counties: string };
