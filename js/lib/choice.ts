/** One choice of a select or of a group of boxes. */
export interface Choice {
  value: string | number;
  label: string;
}
