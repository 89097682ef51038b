/**
 * The connection notice. It appears when the server has been away for a second, reports when it is
 * back, and disappears. It also says why the server does not let the window join. The page stays
 * usable all the time.
 *
 * A modal dialog makes everything else inert and covers it. So while one is open, the notice is
 * inside it.
 *
 * A new page has not lost a connection yet. Its first attempt may take longer, because networks and
 * workers can be slow, and if it fails, the notice has its own text.
 */
const PATIENCE = 1000;
const PATIENCE_AT_FIRST = 5000;
const FAREWELL = 2000;
const MEANWHILE = "You can go on. Keep this tab open: what you send is sent";
const MISSING = `No connection yet. Connecting… ${MEANWHILE} once you are connected.`;
const THERE = "Connected.";
const LOST = `Connection lost. Reconnecting… ${MEANWHILE} once it is back.`;
const BACK = "Connected again.";

/** @param {import("./tab.js").Tab} tab */
export function showConnection(tab) {
  const notice = document.getElementById("connection");
  if (!notice) return;
  const [home, next] = [notice.parentElement, notice.nextElementSibling];
  let [away, back] = [MISSING, THERE];
  let timer = setTimeout(say, PATIENCE_AT_FIRST, away);

  function settle() {
    const dialog = notice.hidden ? null : [...document.querySelectorAll("dialog:modal")].at(-1);
    if (dialog && notice.parentElement !== dialog) dialog.append(notice);
    else if (!dialog && notice.parentElement !== home) home.insertBefore(notice, next);
  }

  function say(text) {
    notice.hidden = false; // before its text: only visible changes are announced
    settle();
    if (notice.textContent !== text) notice.textContent = text; // or it is announced again
  }

  function hide() {
    notice.hidden = true;
    settle();
  }

  // A patch may have removed the notice together with a dialog, or inserted a dialog.
  tab.addEventListener("patched", settle);
  // The list of keys closes without a patch, and is then removed. The event does not bubble.
  document.addEventListener("close", settle, true);
  tab.addEventListener("status", () => {
    clearTimeout(timer);
    if (!tab.connected) {
      const isUnknown = tab.connected === null; // a page from the back/forward cache starts over
      timer = setTimeout(say, isUnknown ? PATIENCE_AT_FIRST : PATIENCE, away);
      return;
    }
    if (!notice.hidden) {
      say(back);
      timer = setTimeout(hide, FAREWELL);
    }
    [away, back] = [LOST, BACK];
  });
  let reason;
  tab.addEventListener("refused", ({ detail }) => {
    if (!detail) return;
    clearTimeout(timer);
    say((reason = detail));
  });
  tab.addEventListener("shown", () => notice.textContent === reason && hide());
  // That the browser is offline says nothing, because the server may run on this computer. When the
  // browser is online again, a reconnect is worth a try. (`channel.js` tries when a page is looked at
  // again.)
  addEventListener("online", () => tab.hurry());
}
