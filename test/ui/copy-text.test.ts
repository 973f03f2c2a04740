/** How browsers differ when copying a text that must first be requested. */
import { describe, expect, test } from 'vitest';
import { type ClipboardOf, copyText, NotCopied } from '../../src/ui/cashier/copy-text.ts';

class Item {
  readonly types: Record<string, Promise<Blob>>;
  constructor(types: Record<string, Promise<Blob>>) {
    this.types = types;
  }
}

/** A clipboard that accepts something only during the press, which is over as soon as anything is awaited. */
const webKit = (copied: string[]): ClipboardOf => {
  let isPressed = true;
  void Promise.resolve().then(() => {
    isPressed = false;
  });
  const press = async (write: () => Promise<void>): Promise<void> => {
    if (!isPressed) throw new DOMException('The request is not allowed', 'NotAllowedError');
    await write();
  };
  return {
    Item,
    clipboard: {
      writeText: (text) => press(async () => void copied.push(text)),
      write: ([item]) =>
        press(async () => {
          const blob = await (item as Item).types['text/plain'];
          copied.push((await blob?.text()) ?? '');
        }),
    },
  };
};

/** A clipboard without items, as in Firefox before 127. */
const withoutItems = (copied: string[]): ClipboardOf => ({
  clipboard: { writeText: async (text) => void copied.push(text) },
});

const denied = (): ClipboardOf => ({
  clipboard: { writeText: async () => Promise.reject(new DOMException('denied', 'NotAllowedError')) },
});

const fetchText = async (): Promise<string> => {
  await new Promise(setImmediate);
  return 'RECEIPT 17';
};

describe('a text that arrives later', () => {
  test.each([
    ['where only the press may write', webKit],
    ['where there are no items', withoutItems],
  ])('is copied %s', async (_, browser) => {
    const copied: string[] = [];
    await copyText(fetchText(), browser(copied));
    expect(copied).toEqual(['RECEIPT 17']);
  });

  test.each([
    ['the browser forbids it', denied],
    ['the page has no clipboard', () => ({})],
  ])('is not reported as copied where %s', async (_, browser) => {
    await expect(copyText(fetchText(), browser())).rejects.toThrow(NotCopied);
  });

  test.each([
    ['only the press may write', webKit],
    ['there are no items', withoutItems],
    ['the browser forbids it', denied],
  ])('that cannot be fetched is reported as the till’s problem, not the browser’s, where %s', async (_, browser) => {
    const refused = new Error('There is no such receipt');
    await expect(copyText(Promise.reject(refused), browser([]))).rejects.toBe(refused);
  });
});
