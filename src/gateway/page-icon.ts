/**
 * The icon of the gateway's pages, within the page. Browsers ask for `/favicon.ico` of a page that names none: its
 * policy forbids that, and behind a proxy with a path of its own it would be somebody else's.
 */
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<rect y="2" width="16" height="12" rx="2" fill="#1f5fbf"/>' +
  '<path d="M0 5h16v2H0z" fill="#fff"/></svg>';

/** In the page's head. */
export const pageIcon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(drawing)}">`;

/** In the page's policy. */
export const ICON_POLICY = 'img-src data:';
