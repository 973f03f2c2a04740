/** Copies a text to the clipboard that must first be requested. */

/** The browser's Clipboard API; absent on a page from another machine without TLS. */
export type ClipboardOf = {
  clipboard?: { writeText(text: string): Promise<void>; write?(items: object[]): Promise<void> } | undefined;
  Item?: (new (types: Record<string, Promise<Blob>>) => object) | undefined;
};

/** The text was available, but the browser did not copy it. */
export class NotCopied extends Error {
  override readonly name = 'NotCopied';
}

const browser = (): ClipboardOf => {
  const { navigator, ClipboardItem } = globalThis as unknown as {
    navigator: Pick<ClipboardOf, 'clipboard'>;
    ClipboardItem?: ClipboardOf['Item'];
  };
  return { clipboard: navigator.clipboard, Item: ClipboardItem };
};

/**
 * Must be called from a press. WebKit allows writing only during the press itself, not after an answer, so the item is
 * created at once with a promise of its text. Throws as `request` does, and `NotCopied`.
 */
export const copyText = async (
  request: Promise<string>,
  { clipboard, Item }: ClipboardOf = browser(),
): Promise<void> => {
  const blob = request.then((text) => new Blob([text], { type: 'text/plain' }));
  // A clipboard that refuses at once never awaits this promise.
  blob.catch(() => {});
  try {
    if (Item === undefined || clipboard?.write === undefined) await clipboard?.writeText(await request);
    else await clipboard.write([new Item({ 'text/plain': blob })]);
  } catch (error) {
    // If the text could not be fetched, that is the error, whatever the clipboard reports.
    await request;
    throw new NotCopied('The browser did not take the text', { cause: error });
  }
  if (clipboard === undefined) throw new NotCopied('The browser has no clipboard for this page');
};
