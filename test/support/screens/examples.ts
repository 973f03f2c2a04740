/** The parts of a hint that look like something typed at a till: an address, a port, a path. */
export const examplesIn = (text: string): string[] =>
  text.match(
    /(?:[a-z]+\+)?(?:tcp:\/\/|serial:|usb:|hid:)[^\s,;)]+|\/dev\/[^\s,;)]+|COM\d+|\d+(?:\.\d+){3}(?::\d+)?/g,
  ) ?? [];
