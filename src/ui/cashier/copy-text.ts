/** Puts a text into the clipboard that is still to be asked for. */

/** What a browser has of the Clipboard API: nothing at all for a page that came without TLS from another machine. */
export type ClipboardOf = {
  clipboard?: { writeText(text: string): Promise<void>; write?(items: object[]): Promise<void> } | undefined;
  Item?: (new (types: Record<string, Promise<Blob>>) => object) | undefined;
};

/** The text was there, and the browser did not take it. */
export class NotCopied extends Error {
  override readonly name = 'NotCopied';
}

const own = (): ClipboardOf => {
  const { navigator, ClipboardItem } = globalThis as unknown as {
    navigator: Pick<ClipboardOf, 'clipboard'>;
    ClipboardItem?: ClipboardOf['Item'];
  };
  return { clipboard: navigator.clipboard, Item: ClipboardItem };
};

/**
 * Call it from a press. WebKit lets only the press itself write, and not what follows an answer: the item is given at
 * once, with the promise of its text. Throws what `asked` throws, and `NotCopied`.
 */
export const copyText = async (asked: Promise<string>, { clipboard, Item }: ClipboardOf = own()): Promise<void> => {
  const blob = asked.then((text) => new Blob([text], { type: 'text/plain' }));
  // A clipboard that refuses at once never asks how it ended.
  blob.catch(() => {});
  try {
    if (Item === undefined || clipboard?.write === undefined) await clipboard?.writeText(await asked);
    else await clipboard.write([new Item({ 'text/plain': blob })]);
  } catch (error) {
    // Of a text that could not be had, that is what is wrong, whatever the clipboard says of it.
    await asked;
    throw new NotCopied('The browser did not take the text', { cause: error });
  }
  if (clipboard === undefined) throw new NotCopied('The browser has no clipboard for this page');
};
