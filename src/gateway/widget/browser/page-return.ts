/**
 * The browser's back button. Engines that keep whole pages (the back/forward cache) bring one back as it was left, with
 * all that was typed and every button: so what was typed goes when the page does, and the gateway is asked anew.
 */

/** `returned` hears only of a page that was kept: one that is loaded anew begins anew. */
export const watchPage = ({ left, returned }: { left: () => void; returned: () => void }): void => {
  window.addEventListener('pagehide', left);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) returned();
  });
};
