/**
 * A click on a button, or on a row's box, before the page's scripts have run: the document keeps the last one (templates/document.html), and the
 * page makes it again once React has taken the button over.
 */

declare global {
  interface Document {
    clicked?: EventTarget | null;
  }
}

/** Takes the click over; React itself does not lose later ones. The result makes it again. */
export function takeEarlyClick(): () => void {
  const target = document.clicked;
  document.onclick = null;
  delete document.clicked;
  const clicked = target instanceof Element ? target.closest<HTMLElement>("button, .ll-pick > input") : null;
  return () => {
    if (clicked?.isConnected && didNothing(clicked)) clicked.click();
  };
}

/** Whether the click has had no effect: of other buttons the browser itself has done the work. A row's box is empty again. */
function didNothing(clicked: HTMLElement): boolean {
  if (!(clicked instanceof HTMLButtonElement)) return true;
  return !clicked.hasAttribute("popovertarget") && (clicked.type === "button" || clicked.form === null);
}
