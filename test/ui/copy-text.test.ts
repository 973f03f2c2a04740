/** What browsers do differently when a text is to be copied that first has to be asked for. */
import { describe, expect, test } from 'vitest';
import { type ClipboardOf, copyText, NotCopied } from '../../src/ui/cashier/copy-text.ts';

class Item {
  readonly types: Record<string, Promise<Blob>>;
  constructor(types: Record<string, Promise<Blob>>) {
    this.types = types;
  }
}

/** A clipboard that takes something only during the press, which is over as soon as anything was waited for. */
const webKit = (taken: string[]): ClipboardOf => {
  let isPressed = true;
  void Promise.resolve().then(() => {
    isPressed = false;
  });
  const pressed = async (write: () => Promise<void>): Promise<void> => {
    if (!isPressed) throw new DOMException('The request is not allowed', 'NotAllowedError');
    await write();
  };
  return {
    Item,
    clipboard: {
      writeText: (text) => pressed(async () => void taken.push(text)),
      write: ([item]) =>
        pressed(async () => {
          const blob = await (item as Item).types['text/plain'];
          taken.push((await blob?.text()) ?? '');
        }),
    },
  };
};

/** One that has no items yet, as Firefox before 127. */
const withoutItems = (taken: string[]): ClipboardOf => ({
  clipboard: { writeText: async (text) => void taken.push(text) },
});

const denied = (): ClipboardOf => ({
  clipboard: { writeText: async () => Promise.reject(new DOMException('denied', 'NotAllowedError')) },
});

const answered = async (): Promise<string> => {
  await new Promise(setImmediate);
  return 'RECEIPT 17';
};

describe('a text that comes later', () => {
  test.each([
    ['where only the press may write', webKit],
    ['where there are no items', withoutItems],
  ])('is copied %s', async (_, browser) => {
    const taken: string[] = [];
    await copyText(answered(), browser(taken));
    expect(taken).toEqual(['RECEIPT 17']);
  });

  test.each([
    ['the browser forbids it', denied],
    ['the page has no clipboard', () => ({})],
  ])('is not said to be copied where %s', async (_, browser) => {
    await expect(copyText(answered(), browser())).rejects.toThrow(NotCopied);
  });

  test.each([
    ['only the press may write', webKit],
    ['there are no items', withoutItems],
    ['the browser forbids it', denied],
  ])('and cannot be had is the till’s trouble, and not the browser’s, where %s', async (_, browser) => {
    const refused = new Error('There is no such receipt');
    await expect(copyText(Promise.reject(refused), browser([]))).rejects.toBe(refused);
  });
});
