(function () {
  var script = document.currentScript, name = "ll_device", device;
  if (!script) return;
  var address = script.src.replace(/\.js([?#].*)?$/, "");
  try { device = localStorage.getItem(name); } catch (e) {}
  if (!device) {
    device = Array.from(crypto.getRandomValues(new Uint8Array(16)), function (b) { return (b + 256).toString(16).slice(1); }).join("");
    try { localStorage.setItem(name, device); } catch (e) { device = ""; }
  }
  function send() {
    var body = JSON.stringify({ device: device });
    if (!(navigator.sendBeacon && navigator.sendBeacon(address, body)))
      fetch(address, { method: "POST", mode: "no-cors", keepalive: true, credentials: "omit", body: body });
  }
  if (document.prerendering) document.addEventListener("prerenderingchange", send, { once: true });
  else send();
})();
