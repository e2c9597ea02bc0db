/** Closes a popover if it is open: a link followed in place leaves the page standing, and it over the page. */
export function closePopover(id: string): void {
  const popover = document.getElementById(id);
  if (popover?.matches(":popover-open")) popover.hidePopover();
}
