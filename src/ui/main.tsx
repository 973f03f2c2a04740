/** The page's entry: theme, words, the till's data, and the screen of the person signed in. */
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

/** A till that has not answered by then is shown as starting. */
const PATIENCE_MS = 400;

// The till is on this machine, so the browser's view of its network does not matter.
const keepForever = { networkMode: 'always' } as const;
const queries = new QueryClient({
  defaultOptions: { queries: { ...keepForever, retry: false, refetchOnWindowFocus: false }, mutations: keepForever },
});

// The till allows style elements that have its nonce: those of the components, and of the library that locks scrolling
// behind a dialog, which looks for the nonce under that name.
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
 * Draws the page once, in its final state and language, without a loading page. For a person who is signed in, their
 * screen is loaded meanwhile; otherwise what they will see next is loaded when the page is idle.
 *
 * This is a function and not a top-level `await`: every other chunk imports the chunk it is built into, and WebKit runs
 * an importer of a module that still awaits before its exports exist (bug 242740).
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
