/**
 * What the window may not do: go elsewhere, open others, ask for camera, place or clipboard, hold other pages, fetch
 * from anywhere but the till. After Electron's own list, "Security, native capabilities, and your responsibility".
 */
import type { Session, WebContents } from 'electron';
import { PAGE } from './shell.ts';

const isOurs = (address: string): boolean => {
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'till:' && host === new URL(PAGE).host;
  } catch {
    return false;
  }
};

/** The page stays, and stays alone. A file that is handed over as a download is no navigation. */
export const guardContents = (contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>): void => {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

type Guarded = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'webRequest'
>;

/** No permission is ever given; requests for other places than the till, and what the page itself made, are stopped. */
export const guardSession = (session: Guarded): void => {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isOurs(url) && !isMade(url) }));
};

/** Pictures and downloads that the page made of what it had; developer tools, which a packaged app never opens. */
const isMade = (address: string): boolean => /^(data|blob|devtools):/.test(address);
