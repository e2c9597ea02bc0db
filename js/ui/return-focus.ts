/** The element that gets the focus when a dialog or menu has faded out. */

/** `element` if it is still on the page; false if the focus is already in a dialog that was opened meanwhile. */
export function returnFocus(element: HTMLElement | null): HTMLElement | boolean {
  if (document.activeElement?.closest(":is([role=dialog], [role=alertdialog])[data-open]")) return false;
  return element?.isConnected ? element : true;
}
