/** The system is about to end the session: somebody signs out, or it shuts down for an update. No sale is cut by it. */
import type { App, BrowserWindow, PowerMonitor } from 'electron';

export type SessionEndParts = {
  app: Pick<App, 'quit'>;
  window: Pick<BrowserWindow, 'on'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
};

/**
 * Holds the system's end up and asks the app for its own, which waits for a sale under way. The system goes on when the
 * app is gone, or when a person or its own patience forces it: then the sale is brought to its end at the next start.
 */
export const holdSessionEnd = ({ app, window, powerMonitor }: SessionEndParts): void => {
  const hold = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    app.quit();
  };
  // Windows asks its windows; other systems say it to the whole app.
  window.on('query-session-end', hold);
  // Its event is described, and missing in Electron's types.
  powerMonitor.on('shutdown', hold as unknown as () => void);
};
