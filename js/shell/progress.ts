/** The thin bar at the top of the page while a navigation is under way. */

import nprogress, { type NProgressOptions } from "nprogress";

const options: Partial<NProgressOptions> & { trickleRate: number } = {
  minimum: 0.08,
  speed: 200,
  trickleRate: 0.02,
  trickleSpeed: 800,
  showSpinner: false,
  // The stock template gives its bar a role that does not exist.
  barSelector: ".bar",
  template: '<div class="bar"></div>',
};

nprogress.configure(options);

/** Starts the bar or lets it run out. */
export function showProgress(busy: boolean): void {
  if (busy) nprogress.start();
  else nprogress.done();
}
