/** Files that the till hands out, saved by the browser under the name that the till gave them. */
import { after } from '../clock.ts';

/** Some browsers read the bytes only after the click was handled. */
const KEEP_MS = 60_000;

/** Saves an answer's body. The answer must be a good one: `got` says what is wrong with others. */
export const saveAnswer = async (answer: Response, name = 'tillgate'): Promise<void> => {
  const told = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  saveBlob(await answer.blob(), told ?? name);
};

export const saveBlob = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  after(KEEP_MS, () => URL.revokeObjectURL(url));
};
