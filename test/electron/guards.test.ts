/** The window cannot navigate, opens nothing, and gets no permissions. */
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { guardContents, guardSession, windowOptions } from '../../electron/window.ts';

const places: readonly [url: string, isOurs: boolean][] = [
  ['till://app/', true],
  ['till://app/manager/today', true],
  ['till://elsewhere/', false],
  ['till://app.evil/', false],
  ['https://app/', false],
  ['http://127.0.0.1:8640/', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['TILL://app/', true],
  ['no address', false],
];

describe('navigation', () => {
  test.each(places)('%s is ours: %s', (url, isOurs) => {
    const contents = new EventEmitter();
    guardContents(Object.assign(contents, { setWindowOpenHandler() {} }) as never);
    for (const name of ['will-navigate', 'will-redirect']) {
      const stopped: string[] = [];
      contents.emit(name, { url, preventDefault: () => stopped.push(url) });
      expect(stopped).toEqual(isOurs ? [] : [url]);
    }
  });

  test('opens no new windows, and no pages within the page', () => {
    const handlers: (() => unknown)[] = [];
    const contents = new EventEmitter();
    guardContents(
      Object.assign(contents, { setWindowOpenHandler: (handler: () => unknown) => handlers.push(handler) }) as never,
    );
    expect(handlers.map((open) => open())).toEqual([{ action: 'deny' }]);
    const stopped: string[] = [];
    contents.emit('will-attach-webview', { preventDefault: () => stopped.push('a page') });
    expect(stopped).toEqual(['a page']);
  });
});

describe('the session', () => {
  const registered: Record<string, (...input: unknown[]) => unknown> = {};
  const register = (name: string) => (handler: (...input: unknown[]) => unknown) => {
    registered[name] = handler;
  };
  guardSession({
    setPermissionRequestHandler: register('request'),
    setPermissionCheckHandler: register('check'),
    setDevicePermissionHandler: register('device'),
    webRequest: { onBeforeRequest: register('fetch') },
  } as never);

  test('grants no permission', () => {
    const decided: boolean[] = [];
    registered['request']?.({}, 'media', (isAllowed: boolean) => decided.push(isAllowed));
    expect([decided, registered['check']?.(), registered['device']?.()]).toEqual([[false], false, false]);
  });

  test.each([
    ...places.filter(([url]) => url !== 'no address'),
    ['data:image/png;base64,AA==', true],
    ['blob:till://app/1', true],
  ] as const)('fetches %s: %s', (url, may) => {
    const decided: boolean[] = [];
    registered['fetch']?.({ url }, ({ cancel }: { cancel: boolean }) => decided.push(cancel));
    expect(decided).toEqual([!may]);
  });
});

test('the page has no privileges, and developer tools only from the sources', () => {
  const { webPreferences } = windowOptions({ kiosk: true, developing: false });
  expect(webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    devTools: false,
  });
  expect(webPreferences).not.toHaveProperty('preload');
});
