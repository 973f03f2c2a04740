/**
 * Entries about something else than a sale: whether this version knows the kind. One that it does not know may be
 * passed over where the entry says `ignorable: true`. After any other one it does nothing more with what the entry is
 * about.
 */
type Fields = { readonly on: string; readonly ignorable?: unknown; readonly critical?: unknown };

/** `critical` names fields without which the entry must not be read; this version knows of none. */
export const howToRead = (known: Readonly<Record<string, true>>, event: object): 'read' | 'passOver' | 'newer' => {
  const { on, ignorable, critical } = event as Fields;
  if (Object.hasOwn(known, on)) return critical === undefined ? 'read' : 'newer';
  return ignorable === true ? 'passOver' : 'newer';
};
