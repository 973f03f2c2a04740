/** What each operation of the local API does, in a line. A test holds it against the routes, both ways. */

export const openApiWords: Readonly<Record<string, string>> = {
  'GET /api/openapi.json': 'This document.',

  'GET /api/session': 'The shop, and who is signed in.',
  'GET /api/session/names':
    'The people who can sign in, for a browser that a manager has signed in at; others type their names.',
  'POST /api/session': 'Signs somebody in by name and PIN. The cookie of the answer is the session.',
  'POST /api/session/code':
    'Opens nobody’s session on a till without people, by the code of its start. The cookie of the answer is the session.',
  'DELETE /api/session': 'Signs out.',
  'POST /api/session/touch': 'Says that somebody is there: the session does not lock itself yet.',
  'PUT /api/session/pin': 'Gives whoever is signed in a new PIN, by the one before.',
  'POST /api/override':
    'A manager’s PIN for one action of somebody else: a word for the header `X-Override`, good once.',
  'GET /api/browsers': 'The browsers that show the names, because a manager has signed in there.',
  'DELETE /api/browsers/{id}': 'Takes a browser off that list: names are typed there until a manager signs in again.',

  'GET /api/counters': 'The terminals, and what each does now.',
  'GET /api/line': 'Whether the gateway is there, and what may be sold without it.',
  'GET /api/live':
    'Sales under way, and the last that ended on each terminal; to a program its own. Without seeAll, no card of others.',
  'GET /api/live/{id}': 'One of those, by its merchantTransactionId.',
  'POST /api/live/{id}/cancel': 'Asks for a cancel. The ending says what became of it.',
  'POST /api/sales': 'Begins a sale, pre-authorisation, credit or payment by gift card. Its intent is durable then.',
  'GET /api/sales': 'Sales, newest first, a page at a time; without seeAll one’s own, searched ones too.',
  'GET /api/sales/{receipt}':
    'One sale, what followed it, and what may follow it. That of somebody else opens to whoever may refund or void.',
  'GET /api/receipts/{code}':
    'The number of the receipt with this code: a sale’s id, or a terminal’s number and a receipt’s such as `12345678-417`.',
  'POST /api/sales/{receipt}/{operation}': 'Refund, void, increment, completion, release or tip of an earlier sale.',
  'GET /api/preauths': 'Amounts that are held on cards, and until when; without seeAll one’s own.',
  'POST /api/claims':
    'A customer says they were charged: the sales it may be, with evidence. Without seeAll by amount and card, or receipt.',
  'POST /api/likely': 'Sales of this amount that nobody knows the end of: to be asked about before another one.',
  'POST /api/training': 'Turns training on or off for this session: nothing that is done then is real.',

  'GET /api/sales/{receipt}/receipt': 'The receipt as text, SVG, PDF, ESC/POS, receiptline or e-mail text.',
  'GET /api/sales/{receipt}/outcome':
    'All that is known of a finished sale, with its bill and the lines of its papers, as the commands print it.',
  'POST /api/sales/{receipt}/print': 'Prints the receipt. Answers once the printer has taken it.',
  'GET /api/printers': 'The printers and how they are.',
  'POST /api/printers': 'Sets a printer up.',
  'DELETE /api/printers/{name}': 'Forgets a printer.',
  'POST /api/printers/{name}/test': 'Prints a page to look at.',
  'POST /api/reports/print': 'Prints lines of a report.',
  'POST /api/drawer': 'Opens the cash drawer.',

  'GET /api/today': 'The business day in figures.',
  'GET /api/batches': 'The batches, newest first.',
  'GET /api/batches/{batch}':
    'One batch with its sums, and its Z report once it is closed, in the language of `Accept-Language`.',
  'POST /api/x-reports':
    'An X report of the open batch: numbered, in the journal, and in the language of `Accept-Language`.',
  'GET /api/closing': 'What would hinder a close.',
  'POST /api/closing':
    'Closes the batch, behind the sale in progress at its terminal. Over what is open only with `override`, its reason.',
  'GET /api/closing/wait': 'Which sales in progress a close waits for.',
  'POST /api/closing/cancel': 'Gives up a close that waits for a sale in progress.',
  'POST /api/reconciliations': 'Compares a settlement file with till and gateway.',
  'POST /api/reconciliations/comparison': 'Compares a settlement file in the same way, and keeps nothing of it.',
  'GET /api/reconciliations': 'The files that were compared.',
  'GET /api/reconciliations/{id}': 'One comparison with its differences and their explanations.',
  'POST /api/reconciliations/{id}/differences/{n}': 'Says what was done about a difference.',
  'GET /api/open-items': 'Sales that wait, are unknown, or need a person.',
  'POST /api/open-items/send': 'Sends now what waits.',
  'POST /api/open-items/{receipt}': 'Asks about one now, sends it, or says how it ended.',
  'GET /api/queue': 'What is still to be sent, asked or seen to, and sales of which too much was given back.',
  'POST /api/queue/retry': 'Takes up again what was parked for a person, when its cause is mended.',
  'POST /api/queue/comparison':
    'Asks the gateway about every sale: those of which it tells something else. A line for each sale, then the result.',
  'GET /api/unresolved': 'Sales that are not at their end, with what was asked and answered.',
  'GET /api/unresolved/{receipt}': 'The same of one sale, also of one that is at its end.',
  'POST /api/unresolved/late-approvals':
    'Asks once more about sales that ended as never sent. What was approved late is taken back.',
  'GET /api/journal/copy': 'How far the second copy of journal and queue is; it is brought up to date first.',
  'POST /api/journal/seal': 'Seals all that stands in the journal now; days are sealed by themselves.',
  'POST /api/journal/exports':
    'Seals the unsent sales of this till for another one. Two people do it; the second approves it in X-Override.',
  'POST /api/journal/exports/{id}/confirmation': 'The file is stored: from now on another till sends those sales.',
  'POST /api/taken-over': 'Takes over the unsent sales of another till. Two people do it, as for an export.',
  'GET /api/taken-over': 'Unsent sales of other tills that were taken over here, and how far they are.',
  'POST /api/taken-over/send': 'Tries to send them now.',
  'POST /api/taken-over/back': 'Sends from here after all what was handed over to another till.',
  'GET /api/limits': 'The offline limits, and what of them is used.',
  'PUT /api/limits': 'Changes offline limits.',
  'GET /api/limits/report': 'The limits as a table in English, and whether the gateway answers now.',
  'POST /api/limits/replay': 'What the last sales would have been under other limits.',
  'GET /api/downloads/{of}/{as}': 'A list as CSV or PDF; a PDF in the language of `Accept-Language`.',

  'GET /api/staff': 'The people of this till.',
  'POST /api/staff': 'Lets somebody in. The first one is a manager.',
  'PUT /api/staff/{name}/pin': 'Gives somebody a new PIN.',
  'DELETE /api/staff/{name}': 'Lets somebody in no more.',
  'GET /api/permissions': 'Who may do what.',
  'GET /api/audit': 'Who did what, newest first, a page at a time.',
  'GET /api/pos-keys': 'The keys of programs that sell here.',
  'POST /api/pos-keys': 'Makes a key. It is told this once. Whoever is no manager brings a manager’s word.',
  'POST /api/pos-keys/{name}/approval': 'A manager approves a key, or takes over one whose approver has left.',
  'DELETE /api/pos-keys/{name}': 'Removes a key.',

  'GET /api/going-live': 'What has to stand before a test till goes live. The gateway is asked.',
  'POST /api/going-live/gateway': 'Tries a live channel: the gateway is asked about a sale that nobody made.',
  'POST /api/going-live': 'Makes the live till beside the test till and opens it. All sessions end.',
  'GET /api/going-live/found': 'Why an older till was found to be live, until a manager has read it.',
  'POST /api/going-live/found': 'Notes that a manager has read it.',

  'GET /api/machine': 'Which machine the data folder belongs to, and what the gateway knows beyond it.',
  'POST /api/machine/compare': 'Asks the gateway what it knows of this till, if it was not asked since the start.',
  'POST /api/machine/take-over': 'Takes over the sales that the gateway knows and the folder does not.',
  'POST /api/machine/plain-http': 'Allows payments over plain http to this gateway in a private network, or ends them.',
  'POST /api/machine/moved': 'The folder was moved to this machine. The till opens anew.',
  'POST /api/machine/copied': 'The folder is a copy, with terminals of its own. The till opens anew.',

  'GET /api/devices': 'The paired terminals.',
  'GET /api/devices/plugged': 'What is plugged in, without opening it.',
  'POST /api/devices/{counter}/ask': 'Asks a paired terminal how it is.',
  'POST /api/devices/search':
    'Asks places, else what is plugged in, whether a terminal is there: a line of JSON for each step.',
  'POST /api/devices/meet': 'Opens a terminal and tries it: a line of JSON for each step.',
  'POST /api/devices': 'Pairs a terminal.',
  'DELETE /api/devices/{counter}': 'Forgets a terminal.',
  'POST /api/devices/{counter}/test-host':
    'Says that a real terminal is at its maker’s test host, so that a test till sells on it; or that it is not.',
  'POST /api/devices/simulated': 'Has a simulated terminal stand in while none is paired. Refused at a live till.',
  'POST /api/devices/diagnosis': 'Examines a terminal: a line of JSON for each check.',
  'GET /api/trace': 'The last messages to and from the terminals, without card data.',
  'GET /api/trace/live': 'The same as they go by: server-sent events.',
  'POST /api/line/test': 'Tries the way to the gateway: a line of JSON for each step.',
  'GET /api/configuration': 'The configuration as a file, without secrets.',
  'PUT /api/configuration': 'Brings a configuration in.',
  'POST /api/configuration/plan': 'What a configuration would change.',
  'GET /api/configuration/undo': 'What the last change can be undone to.',
  'POST /api/configuration/undo': 'Undoes the last change.',
  'GET /api/bundle': 'What would go into a bundle for support.',
  'POST /api/bundle': 'The bundle, without card data.',
  'GET /api/updates': 'Whether there is another version, and whether it may be installed now.',

  'GET /api/events':
    'What changes, as it changes: server-sent events. Those with an `id` are told again after `after` or `Last-Event-ID`.',
};
