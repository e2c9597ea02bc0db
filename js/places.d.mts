/** The texts of js/places.json and src/places/counties.json, as the packages have them. */
export function tables(): { places: string; counties: string };
