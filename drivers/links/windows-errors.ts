/**
 * What the serial port library says on Windows, by Microsoft's numbers of system errors. The library writes five of
 * them in words and all others as “Unknown error code 31” (`serialport_win.cpp` of @serialport/bindings-cpp 13.0.0).
 */

const named: Readonly<Record<string, number>> = {
  'File not found': 2,
  'Access denied': 5,
  'Invalid handle': 6,
  'The parameter is incorrect': 87,
  'Operation aborted': 995,
};

const inWords = new RegExp(`: (?:(${Object.keys(named).join('|')})|Unknown error code (\\d+))`);

/** The number in the library's words; undefined where there is none, as on other systems. */
const codeIn = (words: string): number | undefined => {
  const [, name, number] = inWords.exec(words) ?? [];
  if (name !== undefined) return named[name];
  return number === undefined ? undefined : Number(number);
};

export type OpenTrouble = 'missing' | 'busy' | 'silent' | 'failed' | 'settings' | 'noSerialPort';

/** https://learn.microsoft.com/windows/win32/debug/system-error-codes, of a port that is to be opened. */
const atOpening: Readonly<Record<number, OpenTrouble>> = {
  1: 'noSerialPort', // ERROR_INVALID_FUNCTION: the device knows no settings of a serial port
  2: 'missing', // ERROR_FILE_NOT_FOUND
  3: 'missing', // ERROR_PATH_NOT_FOUND
  5: 'busy', // ERROR_ACCESS_DENIED: serial ports are opened by one program alone
  6: 'noSerialPort', // ERROR_INVALID_HANDLE
  21: 'silent', // ERROR_NOT_READY
  22: 'failed', // ERROR_BAD_COMMAND
  31: 'failed', // ERROR_GEN_FAILURE
  32: 'busy', // ERROR_SHARING_VIOLATION
  50: 'noSerialPort', // ERROR_NOT_SUPPORTED
  55: 'missing', // ERROR_DEV_NOT_EXIST
  87: 'settings', // ERROR_INVALID_PARAMETER
  121: 'silent', // ERROR_SEM_TIMEOUT: a Bluetooth port whose device is off or away
  170: 'busy', // ERROR_BUSY
  433: 'missing', // ERROR_NO_SUCH_DEVICE
  995: 'failed', // ERROR_OPERATION_ABORTED
  1117: 'failed', // ERROR_IO_DEVICE
  1167: 'missing', // ERROR_DEVICE_NOT_CONNECTED
  1460: 'silent', // ERROR_TIMEOUT
  1617: 'missing', // ERROR_DEVICE_REMOVED
};

/** Why a port did not open; undefined for words that are not of Windows, or a number that is not known here. */
export const openTroubleOf = (words: string): OpenTrouble | undefined => atOpening[codeIn(words) ?? -1];

/** What an open port says once its device is gone. A driver that merely lacks a function says 1, 50 or 87. */
const goneCodes: ReadonlySet<number | undefined> = new Set([2, 5, 6, 22, 31, 55, 433, 995, 1167, 1617]);

export const isGoneOnWindows = (words: string): boolean => goneCodes.has(codeIn(words));
