// The script of the visitors' page: it remembers the visitor's thread, sends without a reload, and brings what is new.
// Without it the page works by its forms.
(() => {
  "use strict";
  const store = {
    get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
    set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* Storage is off: the thread has its address. */ } },
    remove: (name) => { try { localStorage.removeItem(name); } catch { /* Likewise. */ } },
  };

  const begin = document.getElementById("begin");
  if (begin) {
    const name = `talk:${begin.dataset.group}`;
    const key = store.get(name);
    // A thread that was begun earlier goes on, unless it was deleted.
    if (key) fetch(`/talk/${key}`).then((answer) => (answer.ok ? location.replace(`/talk/${key}`) : answer.status === 404 && store.remove(name)), () => {});
    return;
  }
  const form = document.getElementById("write");
  const thread = document.getElementById("thread");
  if (!thread || !form) return;
  const key = form.dataset.key;
  store.set(`talk:${form.dataset.group}`, key);
  const toEnd = () => window.scrollTo(0, document.body.scrollHeight);
  toEnd();

  const add = (line) => {
    if (document.getElementById(`m${line.id}`)) return;
    const item = document.createElement("li");
    item.id = `m${line.id}`;
    if (line.mine) item.className = "mine";
    const head = document.createElement("small");
    head.textContent = `${line.mine ? thread.dataset.you : line.name} · ${line.time}`;
    item.append(head);
    if (line.file) {
      const link = document.createElement("a");
      link.href = line.file;
      if (line.picture) {
        const picture = document.createElement("img");
        picture.src = line.file;
        picture.alt = line.name;
        link.append(picture);
      } else link.textContent = line.text;
      item.append(link);
    } else item.append(line.text);
    thread.append(item);
  };

  let last = Number(form.dataset.last);
  let event = Number(form.dataset.event);
  const read = document.getElementById("read");
  const follow = async () => {
    for (let pause = 1000; ; ) {
      try {
        const seen = document.visibilityState === "visible" ? last : 0;
        const answer = await fetch(`/talk/${key}/events?after=${last}&event=${event}&seen=${seen}`);
        if (answer.status === 404) return;
        if (!answer.ok) throw new Error(String(answer.status));
        const news = await answer.json();
        pause = 1000;
        event = news.event;
        for (const line of news.lines) { add(line); last = Math.max(last, line.id); }
        for (const id of news.recalled) document.getElementById(`m${id}`)?.remove();
        document.getElementById("state").textContent = news.state;
        const mine = [...thread.querySelectorAll("li.mine")].at(-1);
        read.textContent = mine && Number(mine.id.slice(1)) <= news.read ? read.dataset.text : "";
        // The form of the rating comes with the page: the page is loaded again unless something is being written.
        if (news.asksRating && !document.getElementById("rating") && !form.elements.content.value) return location.reload();
        if (news.lines.length) toEnd();
      } catch {
        await new Promise((tick) => setTimeout(tick, pause));
        pause = Math.min(pause * 2, 30000);
      }
    }
  };
  follow();

  /** Shows what went wrong above the form, or nothing. */
  const tell = (text) => {
    document.querySelector("[role=alert]")?.remove();
    if (!text) return;
    const alert = document.createElement("p");
    alert.className = "bad";
    alert.setAttribute("role", "alert");
    alert.textContent = text;
    form.before(alert);
  };

  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const { number, content } = form.elements;
    const button = form.querySelector("button");
    if (!content.value.trim()) return;
    button.disabled = true;
    try {
      const answer = await fetch(`/talk/${key}`, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(new FormData(form)) });
      const sent = answer.ok ? await answer.json() : { error: await answer.text() };
      tell(sent.error);
      if (sent.error) return;
      content.value = "";
      number.value = sent.number;
      content.focus();
    } catch {
      // The line is cut: the same number is sent again, and taken once.
      tell(form.dataset.cut);
    } finally {
      button.disabled = false;
    }
  });
  form.elements.content.addEventListener("keydown", (pressed) => {
    if (pressed.key !== "Enter" || pressed.shiftKey || pressed.isComposing || pressed.keyCode === 229) return; // an input method has it: 229 in Safari
    pressed.preventDefault();
    form.requestSubmit();
  });
})();
