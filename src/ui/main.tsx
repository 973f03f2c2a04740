/** The page's entry: theme, words, the till's data, and the screen of whoever is signed in. */
import './mantine-styles.ts';
import './till.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { pause, whenIdle } from './clock.ts';
import { watchKeyboard } from './keyboard.ts';
import { loadAhead } from './lazy-screens.ts';
import { loadLanguage } from './locale/language.tsx';
import { readFirst } from './session.ts';
import { theme, variables } from './theme.ts';

/** A till that has not answered by then is said to be opening. */
const PATIENCE_MS = 400;

// The till is on this machine: what the browser thinks of its network says nothing about it.
const always = { networkMode: 'always' } as const;
const queries = new QueryClient({
  defaultOptions: { queries: { ...always, retry: false, refetchOnWindowFocus: false }, mutations: always },
});

// The till lets style elements through that bring its word: those of the parts, and of what holds the page still behind
// a dialog, which looks for it under that name.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

watchKeyboard();

const draw = (root: HTMLElement): void =>
  createRoot(root).render(
    <DirectionProvider detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>,
  );

/**
 * Drawn once, as it is to be, in its language: not first as a page that loads. For somebody who is signed in their
 * screen is brought meanwhile; for nobody what they will see next, once there is nothing else to do.
 *
 * A function, and no `await` of the module: every other chunk imports the one that this is built into, and WebKit runs
 * an importer of a module that still awaits before its exports are there (bug 242740).
 */
const begin = async (): Promise<void> => {
  const first = readFirst(queries).then(async (session) => {
    if (session?.signedIn) loadAhead(session.signedIn);
    await loadLanguage(session?.shop);
    return session;
  });
  await Promise.race([first, pause(PATIENCE_MS)]);
  const root = document.getElementById('root');
  if (root !== null) draw(root);
  const session = await first;
  if (session?.signedIn === undefined) whenIdle(() => loadAhead(undefined));
};

void begin();
