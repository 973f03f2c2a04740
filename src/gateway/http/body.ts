/** Reading a body with a bound, so that nobody can fill the memory. */

export type Read = { kind: 'text'; text: string } | { kind: 'refused'; why: string };

/** The whole body as UTF-8 text, read no further than `most` bytes. */
export const readText = async (body: ReadableStream<Uint8Array> | null, most: number): Promise<Read> => {
  if (body === null) return { kind: 'text', text: '' };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the stream: the rest is never read.
    if (size > most) return { kind: 'refused', why: `The body has more than ${most} bytes.` };
    chunks.push(chunk);
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { kind: 'refused', why: 'The body is not UTF-8.' };
  }
};
