/** Announces visible changes to screen readers: one region for the whole page, each text once. */
import { VisuallyHidden } from '@mantine/core';
import { createStore } from '../store.ts';

const liveText = createStore<{ text: string; at: number; urgent: boolean }>({ text: '', at: 0, urgent: false });

/** Read after the present text, or at once when urgent. The same text twice is read twice. */
export const announce = (text: string, { urgent = false }: { urgent?: boolean } = {}): void =>
  liveText.set({ text, at: liveText.get().at + 1, urgent });

/** Used once in the page. */
export const LiveText = () => {
  const { text, at, urgent } = liveText.use();
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        {!urgent && <span key={at}>{text}</span>}
      </VisuallyHidden>
      <VisuallyHidden role="alert" aria-live="assertive">
        {urgent && <span key={at}>{text}</span>}
      </VisuallyHidden>
    </>
  );
};
