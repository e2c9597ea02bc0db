// Puts the visitors' page into a corner of a site: <script src="https://…/talk/embed.js?g=KEY" async></script>
(() => {
  "use strict";
  const script = document.currentScript;
  if (!script) return;
  const address = new URL(script.src);
  const page = `${address.origin}/talk?g=${encodeURIComponent(address.searchParams.get("g") ?? "")}`;
  const chinese = (document.documentElement.lang || navigator.language).startsWith("zh");
  const place = (node, style) => Object.assign(node.style, { position: "fixed", zIndex: "2147483000", right: "16px", border: "0", ...style });
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = chinese ? "在线咨询" : "Chat with us";
  place(button, { bottom: "16px", minHeight: "44px", padding: "8px 20px", borderRadius: "22px", background: "#165dff", color: "#fff", font: "16px/1.5 system-ui,sans-serif", cursor: "pointer" });
  let frame;
  button.addEventListener("click", () => {
    if (frame) frame.hidden = !frame.hidden;
    else {
      frame = document.createElement("iframe");
      frame.src = page;
      frame.title = button.textContent;
      place(frame, { bottom: "72px", width: "min(400px, calc(100vw - 32px))", height: "min(640px, calc(100vh - 96px))", borderRadius: "8px", boxShadow: "0 4px 24px rgba(0,0,0,.25)", background: "#fff" });
      document.body.append(frame);
    }
    button.setAttribute("aria-expanded", String(!frame.hidden));
  });
  document.body.append(button);
})();
