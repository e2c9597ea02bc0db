/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, lazy, type ReactNode, useContext } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { htmlOf } from "./html-of";

/** React writes the apostrophe and empty elements in another way. */
const byReact = (node: ReactNode) => renderToStaticMarkup(node).replaceAll("&#x27;", "&#39;").replaceAll("/>", ">");

function Link({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="ll-link" href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

test("nodes become the HTML that React writes", () => {
  const nodes: ReactNode[] = [
    "a < b & \"c\" 'd'",
    7,
    0,
    null,
    undefined,
    false,
    ["a", 1, <b key="b">c</b>, null],
    <>
      {"day"} <span className="ll-tag ll-tag-red">soon</span>
    </>,
    <Link to={'/a?b=1&c="2"'}>name</Link>,
    <meter className="bar" min={0} max={1} value={0.5} aria-label="used" />,
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M1 1" />
    </svg>,
    <svg className="icon" dangerouslySetInnerHTML={{ __html: "<path d='M1 1'></path>" }} />,
    <a href="/f" download>
      f
    </a>,
    <a href="/f" download="a.csv" hidden={false} aria-disabled={true} data-full={undefined}>
      f
    </a>,
    <li tabIndex={-1} title="">
      <br />
    </li>,
  ];
  for (const node of nodes) assert.equal(htmlOf(node), byReact(node));
});

test("what text cannot have is refused", () => {
  const Later = lazy(async () => ({ default: () => null }));
  assert.equal(htmlOf(<a href={" java\nscript:alert(1)"}>x</a>), "<a>x</a>");
  for (const node of [<button onClick={() => {}} />, <i style={{ color: "red" }} />, <i ref={() => {}} />, <Later />]) {
    assert.throws(() => htmlOf(node), TypeError);
  }
});

test("a component reads contexts where the text is written", () => {
  const Name = createContext("none");
  const Hello = () => useContext(Name);
  const Region = () => <p dangerouslySetInnerHTML={{ __html: htmlOf(<Hello />) }} />;
  assert.equal(
    byReact(
      <Name.Provider value="A & B">
        <Region />
      </Name.Provider>,
    ),
    "<p>A &amp; B</p>",
  );
});
