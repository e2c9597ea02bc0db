/** Changes elements in place until they are like others. */

/** An element like `region` whose inside is the text. */
export function parsed(region: Element, html: string): Element {
  const copy = region.cloneNode(false) as Element;
  copy.innerHTML = html;
  return copy;
}

/** Gives an element the attributes and the inside of `target`, which has the same name. */
export function morph(element: Element, target: Element): void {
  for (const name of element.getAttributeNames()) {
    if (!target.hasAttribute(name)) element.removeAttribute(name);
  }
  for (const { name, value } of target.attributes) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  morphInside(element, target);
}

/** Gives an element the inside of `target`, out of which new nodes are moved. Nodes of the same kind are kept, in their order. */
export function morphInside(element: Element, target: Element): void {
  const wanted = [...target.childNodes];
  let surplus = element.childNodes.length - wanted.length;
  let old = element.firstChild;
  for (const node of wanted) {
    while (old && surplus > 0 && !isSameKind(old, node)) {
      const next: ChildNode | null = old.nextSibling;
      old.remove();
      old = next;
      surplus--;
    }
    if (!old) {
      element.append(node);
    } else if (isSameKind(old, node)) {
      if (old instanceof Element) morph(old, node as Element);
      else if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
      old = old.nextSibling;
    } else if (surplus < 0) {
      old.before(node);
      surplus++;
    } else {
      const next = old.nextSibling;
      old.replaceWith(node);
      old = next;
    }
  }
  while (old) {
    const next: ChildNode | null = old.nextSibling;
    old.remove();
    old = next;
  }
}

/** Whether a node can become another. A button with another value does something else: the focus must not stay on it. */
function isSameKind(old: ChildNode, node: ChildNode): boolean {
  if (old.nodeName !== node.nodeName) return false;
  return !(old instanceof HTMLButtonElement) || old.value === (node as HTMLButtonElement).value;
}
