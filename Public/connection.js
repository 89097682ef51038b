/**
 * The connection notice: it appears when the server has been away for a second, says when it is
 * back, and goes. The page stays usable all the while.
 */
const PATIENCE = 1000;
const FAREWELL = 2000;
const LOST =
  "Connection lost. Reconnecting… You can go on reading and typing; what you send is kept and " +
  "goes out when the connection is back.";
const BACK = "Connected again.";

/** @param {import("./tab.js").Tab} tab */
export function showConnection(tab) {
  const notice = document.getElementById("connection");
  if (!notice) return;
  let timer = setTimeout(say, PATIENCE, LOST);

  function say(text) {
    notice.hidden = false; // before its text: only what changes in sight is read out
    notice.textContent = text;
  }

  tab.addEventListener("status", () => {
    clearTimeout(timer);
    if (!tab.connected) timer = setTimeout(say, PATIENCE, LOST);
    else if (!notice.hidden) {
      say(BACK);
      timer = setTimeout(() => (notice.hidden = true), FAREWELL);
    }
  });
  // The browser's word that it is offline is worth nothing (the server may be this computer); that
  // it is online again is worth a try.
  addEventListener("online", () => tab.hurry());
}
