/** One line for each operation of the local API. A test compares them with the routes, both ways. */

export const openApiWords: Readonly<Record<string, string>> = {
  'GET /api/openapi.json': 'This document.',

  'GET /api/session': 'The shop, and who is signed in.',
  'GET /api/session/names':
    'The people who can sign in, for a browser where a manager has signed in; others type their names.',
  'POST /api/session': 'Signs a person in by name and PIN. The cookie in the answer is the session.',
  'POST /api/session/code':
    'Opens a nameless session on a till without staff, by its start code. The cookie in the answer is the session.',
  'DELETE /api/session': 'Signs out.',
  'POST /api/session/touch': 'Reports that someone is using the screens, so that the session does not lock yet.',
  'PUT /api/session/pin': 'Gives the person who is signed in a new PIN; their current PIN is required.',
  'POST /api/override':
    'A manager’s PIN for one action of someone else: returns an approval for the header `X-Override`, valid once.',
  'GET /api/browsers': 'The browsers that show the names, because a manager has signed in there.',
  'DELETE /api/browsers/{id}':
    'Removes a browser from that list: names are typed there until a manager signs in again.',

  'GET /api/counters': 'The terminals, and what each one is doing.',
  'GET /api/line': 'Whether the gateway is reachable, and what can be sold without it.',
  'GET /api/live':
    'Sales in progress, and the last one on each terminal; a program gets only its own. Without seeAll, no cards of ' +
    'others.',
  'GET /api/live/{id}': 'One of those, by its merchantTransactionId.',
  'POST /api/live/{id}/cancel': 'Asks to cancel a sale. Its ending says what became of it.',
  'POST /api/sales': 'Starts a sale, pre-authorisation, credit or payment by gift card. Its intent is then durable.',
  'GET /api/sales': 'Sales, newest first, one page at a time; without seeAll only one’s own, in searches too.',
  'GET /api/sales/{receipt}':
    'One sale, its follow-ups, and the possible ones. Another person’s sale needs the permission to refund or void.',
  'GET /api/receipts/{code}':
    'The number of the receipt with this code: a sale’s id, or terminal and receipt number, such as `12345678-417`.',
  'POST /api/sales/{receipt}/{operation}': 'Refund, void, increment, completion, release or tip for an earlier sale.',
  'GET /api/preauths': 'Amounts held on cards, and until when; without seeAll only one’s own.',
  'POST /api/claims':
    'A customer’s claim: the possible sales, with evidence. Without seeAll by amount and card, or by receipt.',
  'POST /api/likely': 'Sales of this amount whose result is not known: ask about them before another sale.',
  'POST /api/training': 'Turns training on or off for this session: nothing done in training is real.',

  'GET /api/sales/{receipt}/receipt': 'The receipt as text, SVG, PDF, ESC/POS, receiptline or e-mail text.',
  'GET /api/sales/{receipt}/outcome':
    'All facts of a finished sale, with its bill and the lines of its papers, as the commands print them.',
  'POST /api/sales/{receipt}/print': 'Prints the receipt. Answers once the printer has accepted it.',
  'GET /api/printers': 'The printers and their states.',
  'POST /api/printers': 'Adds a printer.',
  'DELETE /api/printers/{name}': 'Forgets a printer.',
  'POST /api/printers/{name}/test': 'Prints a test page.',
  'POST /api/reports/print': 'Prints lines of a report.',
  'POST /api/drawer': 'Opens the cash drawer.',

  'GET /api/today': 'The figures of the business day.',
  'GET /api/batches': 'The batches, newest first.',
  'GET /api/batches/{batch}':
    'One batch with its totals, and its Z report once it is closed, in the language of `Accept-Language`.',
  'POST /api/x-reports':
    'An X report of the open batch: numbered, recorded in the journal, in the language of `Accept-Language`.',
  'GET /api/closing': 'What prevents a close.',
  'POST /api/closing':
    'Closes the batch after the sale in progress at its terminal. With open sales only with `override`, a reason.',
  'GET /api/closing/wait': 'The sales in progress that a close is waiting for.',
  'POST /api/closing/cancel': 'Cancels a close that is waiting for a sale in progress.',
  'POST /api/reconciliations': 'Compares a settlement file with till and gateway.',
  'POST /api/reconciliations/comparison': 'Compares a settlement file in the same way, but stores nothing.',
  'GET /api/reconciliations': 'The files that were compared.',
  'GET /api/reconciliations/{id}': 'One comparison with its differences and their explanations.',
  'POST /api/reconciliations/{id}/differences/{n}': 'Records what was done about a difference.',
  'GET /api/open-items': 'Sales that are waiting, unknown, or need a person.',
  'POST /api/open-items/send': 'Sends all waiting messages now.',
  'POST /api/open-items/{receipt}': 'Checks or sends one sale now, or records how it ended.',
  'GET /api/queue': 'What is still to be sent, checked or dealt with, and sales that were refunded too much.',
  'POST /api/queue/retry': 'Retries messages that were set aside for a person, once the cause is fixed.',
  'POST /api/queue/comparison':
    'Asks the gateway about every sale, and lists those that differ. One line for each sale, then the result.',
  'GET /api/unresolved': 'Unresolved sales, with what was asked and answered.',
  'GET /api/unresolved/{receipt}': 'The same for one sale, also for one that is resolved.',
  'POST /api/unresolved/late-approvals':
    'Asks again about sales that ended as never sent. Late approvals are reversed.',
  'GET /api/journal/copy': 'How up to date the second copy of journal and queue is; it is updated first.',
  'GET /api/journal/entries': 'Every entry of the journal, checked against its hash chain, one per line.',
  'POST /api/journal/seal': 'Seals all current journal entries now; days are sealed automatically.',
  'POST /api/journal/exports':
    'Seals this till’s unsent sales for another till. This takes two people; the second one’s approval is in ' +
    'X-Override.',
  'POST /api/journal/exports/{id}/confirmation': 'The file is stored: from now on another till sends those sales.',
  'POST /api/taken-over': 'Takes over the unsent sales of another till. This takes two people, as an export does.',
  'GET /api/taken-over': 'Unsent sales of other tills that were taken over here, and their progress.',
  'POST /api/taken-over/send': 'Tries to send them now.',
  'POST /api/taken-over/back': 'Takes back what was handed over to another till, and sends it from here.',
  'GET /api/limits': 'The offline limits, and how much of them is used.',
  'PUT /api/limits': 'Changes offline limits.',
  'GET /api/limits/report': 'The limits as a table in English, and whether the gateway is answering.',
  'POST /api/limits/replay': 'What other limits would have meant for the last sales.',
  'GET /api/downloads/{of}/{as}': 'A list as CSV or PDF; a PDF in the language of `Accept-Language`.',

  'GET /api/staff': 'The people of this till.',
  'POST /api/staff': 'Adds a person. The first one is a manager.',
  'PUT /api/staff/{name}/pin': 'Gives a person a new PIN.',
  'DELETE /api/staff/{name}': 'Removes a person.',
  'GET /api/permissions': 'The permissions of each role.',
  'GET /api/audit': 'Who did what, newest first, one page at a time.',
  'GET /api/pos-keys': 'The keys of programs that sell here.',
  'POST /api/pos-keys': 'Creates a key, which is shown only once. Anyone but a manager needs a manager’s approval.',
  'POST /api/pos-keys/{name}/approval': 'A manager approves a key, or takes over one whose approver has left.',
  'DELETE /api/pos-keys/{name}': 'Removes a key.',

  'GET /api/going-live': 'What a test till needs before it goes live. Asks the gateway.',
  'POST /api/going-live/gateway': 'Tests a live channel: asks the gateway about a sale that does not exist.',
  'POST /api/going-live': 'Creates the live till beside the test till and opens it. All sessions end.',
  'GET /api/going-live/found': 'Why an older till was found to be live, until a manager has read it.',
  'POST /api/going-live/found': 'Records that a manager has read it.',

  'GET /api/machine': 'Which machine the data folder belongs to, and which sales only the gateway has.',
  'POST /api/machine/compare': 'Asks the gateway for this till’s sales, unless it was asked since the start.',
  'POST /api/machine/take-over': 'Imports the sales that the gateway has and the folder does not.',
  'POST /api/machine/plain-http': 'Allows payments over plain http to this gateway in a private network, or ends that.',
  'POST /api/machine/moved': 'Confirms that the folder was moved to this machine. The till restarts.',
  'POST /api/machine/copied': 'Confirms that the folder is a copy, with its own terminal numbers. The till restarts.',

  'GET /api/devices': 'The paired terminals.',
  'GET /api/devices/plugged': 'The connected devices, without opening them.',
  'POST /api/devices/{counter}/ask': 'Asks a paired terminal for its state.',
  'POST /api/devices/search':
    'Searches these places, or else all connected devices, for terminals: one line of JSON for each step.',
  'POST /api/devices/meet': 'Opens and tests a terminal: one line of JSON for each step.',
  'POST /api/devices': 'Pairs a terminal.',
  'DELETE /api/devices/{counter}': 'Removes a terminal.',
  'POST /api/devices/{counter}/test-host':
    'Confirms that a real terminal uses its manufacturer’s test host, so that a test till sells on it; or the ' +
    'opposite.',
  'POST /api/devices/simulated': 'Uses a simulated terminal while none is paired. Refused at a live till.',
  'POST /api/devices/diagnosis': 'Diagnoses a terminal: one line of JSON for each check.',
  'GET /api/trace': 'The last messages to and from the terminals, without card data.',
  'GET /api/trace/live': 'The same messages as they are exchanged: server-sent events.',
  'POST /api/line/test': 'Tests the connection to the gateway: one line of JSON for each step.',
  'GET /api/configuration': 'The configuration as a file, without secrets.',
  'PUT /api/configuration': 'Imports a configuration.',
  'POST /api/configuration/plan': 'What a configuration would change.',
  'GET /api/configuration/undo': 'What an undo of the last import would change.',
  'POST /api/configuration/undo': 'Undoes the last import.',
  'GET /api/bundle': 'What a support bundle would contain.',
  'POST /api/bundle': 'The bundle, without card data.',
  'GET /api/updates': 'Whether there is a newer version, and whether it can be installed now.',

  'GET /api/events':
    'Changes as they happen: server-sent events. Events with an `id` are repeated after `after` or `Last-Event-ID`.',
};
