/** Closes a popover if it is open: after a link without a new document, it would stay open over the page. */
export function closePopover(id: string): void {
  const popover = document.getElementById(id);
  if (popover?.matches(":popover-open")) popover.hidePopover();
}
