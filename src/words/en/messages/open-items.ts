/** What a person can do about something that is open, in words for a screen: its buttons stand beside them. */
import type { OpenItem } from '../../../api/ports/books.ts';
import { teller } from '../../../base/told.ts';

export const itemWords = {
  differs: 'Find out what is true and put it right with the customer, then say what is so, with the evidence.',
  person:
    'Nobody but a person can tell. Look it up where the payment was made, then say what is so, with the evidence.',
  parked:
    'Mend what the note names, then try it again. If nothing mends it, look it up at the gateway, then say what is so.',
  overdue:
    'Ask now. If that does not end it, look it up where the payment was made, see to it there that the customer has the money, and say what is so where you are asked.',
  unknown: 'Ask now. If it cannot wait, look it up at the gateway, then say what is so, with the evidence.',
  terminal: 'Connect the terminal and ask it now. Otherwise it is asked before its next payment.',
  waiting: 'Nothing: it is sent by itself. It can be sent now.',
  behind: 'Nothing: it is sent after what it follows.',
  task: 'Charge it again with the customer’s card, say how it was settled otherwise, or write it off.',
  nextTask: 'Nothing by itself.',
  nextParked: 'Nothing by itself: it was set aside.',
  nextPerson: 'Nothing by itself.',
  newer: 'Start the newer version: it goes on with this sale. Nothing can be done with it here.',
  handedOver: 'See to it that the other till sends it: it was handed over.',
  toDo: '{toDo}.',
} as const satisfies Readonly<Record<OpenItem['kind'], string>> & Readonly<Record<string, string>>;

export type ItemCode = keyof typeof itemWords;
export const tellItem = teller('item', itemWords);
