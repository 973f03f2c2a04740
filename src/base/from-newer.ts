/** What the queue notes of a message that a newer version of this program has made, or has written about since. */
export const FROM_NEWER = 'a newer version of this program has to send it';
