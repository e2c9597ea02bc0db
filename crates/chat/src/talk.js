// The script of the visitors' page: it sends without a reload, and brings what is new. Without it the page works by its forms.
(() => {
  "use strict";
  // Earlier versions kept the keys of threads here. They open nothing any more.
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith("talk:")) localStorage.removeItem(name);
  } catch { /* Storage is off. */ }

  const form = document.getElementById("write");
  const thread = document.getElementById("thread");
  if (!thread || !form) return;
  const { page } = form.dataset;
  const toEnd = () => window.scrollTo(0, document.body.scrollHeight);
  toEnd();

  const made = (line) => {
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
    return item;
  };
  const add = (line) => {
    if (!document.getElementById(`m${line.id}`)) thread.append(made(line));
  };

  /** Puts the messages before the first one above it; without the script the link opens them as a page. */
  const earlier = document.getElementById("earlier");
  earlier?.addEventListener("click", async (pressed) => {
    pressed.preventDefault();
    if (earlier.ariaBusy === "true") return;
    earlier.ariaBusy = "true";
    try {
      const answer = await fetch(`/talk/${page}/earlier${new URL(earlier.href).search}`);
      if (!answer.ok) throw new Error(String(answer.status));
      const past = await answer.json();
      const { scrollHeight } = document.body;
      // What the reader asked for is not read out as new.
      thread.ariaLive = "off";
      thread.prepend(...past.lines.map(made));
      thread.ariaLive = "polite";
      window.scrollBy(0, document.body.scrollHeight - scrollHeight);
      earlier.href = `/talk/${page}?before=${past.earlier}`;
      earlier.hidden = past.earlier === null;
    } catch {
      location.href = earlier.href;
    } finally {
      earlier.ariaBusy = "false";
    }
  });

  let last = Number(form.dataset.last);
  let event = Number(form.dataset.event);
  const read = document.getElementById("read");
  /** Resolves when the page becomes visible or gets the focus, or after a visible minute: newer windows hold all polls. */
  const looked = () =>
    new Promise((done) => {
      const minute = setInterval(() => document.visibilityState === "visible" && end(), 60000);
      const end = () => {
        clearInterval(minute);
        removeEventListener("focus", end);
        document.removeEventListener("visibilitychange", shown);
        done();
      };
      const shown = () => document.visibilityState === "visible" && end();
      addEventListener("focus", end);
      document.addEventListener("visibilitychange", shown);
    });
  const follow = async () => {
    for (let pause = 1000; ; ) {
      try {
        const seen = document.visibilityState === "visible" ? last : 0;
        const answer = await fetch(`/talk/${page}/events?after=${last}&event=${event}&seen=${seen}`);
        if (answer.status === 404) return;
        if (!answer.ok) throw new Error(String(answer.status));
        const news = await answer.json();
        pause = 1000;
        event = news.event;
        for (const line of news.lines) add(line);
        last = Math.max(last, news.last);
        for (const id of news.recalled) document.getElementById(`m${id}`)?.remove();
        document.getElementById("state").textContent = news.state;
        const mine = [...thread.querySelectorAll("li.mine")].at(-1);
        read.textContent = mine && Number(mine.id.slice(1)) <= news.read ? read.dataset.text : "";
        // The form of the rating comes with the page: the page is loaded again unless something is being written.
        if (news.asksRating && !document.getElementById("rating") && !form.elements.content.value) return location.reload();
        if (news.lines.length) toEnd();
        if (news.ended) await looked();
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
      const answer = await fetch(`/talk/${page}`, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(new FormData(form)) });
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
