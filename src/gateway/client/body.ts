/** Reads a body with a size limit, so that nobody can exhaust the memory. */

export type ReadBody = { kind: 'text'; text: string } | { kind: 'refused'; why: string };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The whole body as UTF-8 text. Reads at most `most` bytes. */
export const readText = async (from: Request | Response, most: number): Promise<ReadBody> => {
  const bytes = await readBytes(from, most);
  if (bytes === undefined) return tooLong(most);
  try {
    return { kind: 'text', text: decoder.decode(bytes) };
  } catch {
    return { kind: 'refused', why: 'The body is not UTF-8.' };
  }
};

/** The whole body, or undefined if it has more than `most` bytes; the rest is then not read. */
export const readBytes = async (from: Request | Response, most: number): Promise<Uint8Array | undefined> => {
  const count = Number(from.headers.get('content-length') ?? Number.NaN);
  if (count > most) return undefined;
  // HTTP enforces the declared length unless the body is compressed, so the body can be read in one go.
  const bounded = Number.isNaN(count) || from.headers.has('content-encoding');
  const bytes = bounded ? await readBounded(from.body, most) : new Uint8Array(await from.arrayBuffer());
  return bytes === undefined || bytes.length > most ? undefined : bytes;
};

const tooLong = (most: number): ReadBody => ({ kind: 'refused', why: `The body has more than ${most} bytes.` });

const readBounded = async (body: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array | undefined> => {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the stream: the rest is never read.
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
