/**
 * Everything that can go wrong, in one table. A declined card is an outcome, not a fault.
 *
 * `says` is what happened, `money` what it means for the money, `next` what a person does now.
 * `remedy` is for code: retry (safe at once), inquire (ask before anything else), queue (keep and send later),
 * halt (stop selling until a person acted), refuse (the input was wrong; nothing was done).
 */
export type Remedy = 'retry' | 'inquire' | 'queue' | 'halt' | 'refuse';
export type FaultRow = { says: string; money: string; next: string; remedy: Remedy };

const createRow =
  <const Code extends Remedy>(remedy: Code) =>
  <const Says extends string, const Money extends string, const Next extends string>(
    says: Says,
    money: Money,
    next: Next,
  ) => ({ says, money, next, remedy });

const retry = createRow('retry');
const inquire = createRow('inquire');
const queue = createRow('queue');
const halt = createRow('halt');
const refuse = createRow('refuse');

const nothingDone = 'Nothing was charged.';
/** If no money is involved. */
const unchanged = 'Nothing was changed.';
/** If money may be involved. */
const undone = 'Nothing was done.';
const notKnown = 'Unknown until the till has checked.';
const notRefunded = 'Nothing was refunded.';

/** The same for rows that share what they mean for the money. */
const rowAbout =
  <const Code extends Remedy, const Money extends string>(remedy: Code, money: Money) =>
  <const Says extends string, const Next extends string>(says: Says, next: Next) => ({ says, money, next, remedy });

const retrySale = rowAbout('retry', nothingDone);
const inquireSale = rowAbout('inquire', notKnown);
const haltSale = rowAbout('halt', nothingDone);
const refuseSale = rowAbout('refuse', nothingDone);
const refuseChange = rowAbout('refuse', unchanged);
const refuseAct = rowAbout('refuse', undone);
const refuseImport = rowAbout('refuse', 'Nothing was imported.');
const refuseAside = rowAbout('refuse', 'No payment is affected.');

/** What many faults mean for the money. Each other language has these sentences once. */
export type CommonFaultMoney =
  | typeof nothingDone
  | typeof unchanged
  | typeof notKnown
  | typeof undone
  | typeof notRefunded;

const correct = 'Correct it and try again.';

export const faults = {
  // Always a bug of the program.
  'program.failed': halt(
    'Something unexpected went wrong: {why}',
    'Everything that was recorded is safe.',
    'Restart the till: it finishes open sales automatically. Tell support what you did.',
  ),

  // Input at the edges
  'hex.malformed': refuseSale('A hex text of {length} characters is malformed', correct),
  'amount.malformed': refuseSale('The amount "{text}" is not an amount of {currency}: {why}', 'Enter it as 12.50.'),
  'amount.unrepresentable': refuseSale(
    'An amount of {minor} minor units of {currency} cannot be written with two decimals',
    'Round to the next ten minor units.',
  ),
  'amount.unpositive': refuseSale('An amount of {amount} cannot be charged or refunded', 'Enter an amount above zero.'),
  'currency.unknown': refuseSale('"{text}" is not an ISO 4217 currency', 'Use a code such as EUR.'),
  'currency.differs': refuseSale('An amount in {left} cannot be combined with one in {right}', correct),
  'folder.unusable': refuseChange(
    'The folder {path} cannot be used: {why}',
    'Name another folder with --data, or have its permissions changed.',
  ),
  'file.held': refuseChange(
    'Another program has {file} open, so it could not be written',
    'Wait until the virus scanner, the backup or the file sync has finished with it, or stop that program. Then try again.',
  ),
  'config.malformed': refuseChange('The configuration {file} cannot be used: {why}', correct),
  'command.malformed': refuseSale('{why}', 'Run the command with --help.'),

  // EMV data and cryptography
  'tlv.malformed': retrySale('The TLV data is malformed at byte {offset}: {why}', 'Try the card again.'),
  'emv.malformed': retrySale('{what} is malformed: {why}', 'Try the card again.'),
  'key.malformed': haltSale(
    '{what} cannot be used as a key or key serial number: {why}',
    'Have the terminal’s keys checked.',
  ),
  'key.exhausted': haltSale(
    'The key with serial number {ksn} has been used up',
    'Have new keys loaded into the terminal.',
  ),
  'pin.block': retrySale('The PIN block is not of format {format}: {why}', 'Enter the PIN again.'),

  // Terminal and link
  'link.unavailable': retrySale(
    'The port {port} cannot be opened: {why}',
    'Check the cable, and that no other program uses the port.',
  ),
  'link.lost': inquireSale(
    'The connection to the terminal at {port} was lost: {why}',
    'Check the cable. The till checks with the gateway automatically.',
  ),
  'terminal.silent': inquireSale(
    'The terminal did not answer {command} within {ms} ms',
    'Check the terminal. The till checks with the gateway automatically.',
  ),
  'terminal.garbled': inquireSale(
    'The terminal sent {bytes, plural, one {# byte that is} other {# bytes that are}} not a valid answer',
    'Check the cable and the terminal’s model.',
  ),
  'terminal.stray': retry(
    'The terminal sent an unexpected answer of {bytes, plural, one {# byte} other {# bytes}}',
    'The till ignored it.',
    'There is nothing to do. Have the terminal checked if it happens often.',
  ),
  'terminal.strays': retry(
    'The terminal sent {count, plural, one {# more unexpected message} other {# more unexpected messages}}',
    'The till ignored them.',
    'Have the terminal checked.',
  ),
  'terminal.refused': retrySale(
    'The terminal refused {command} with status {status}: {why}',
    'Try again; restart the terminal if it happens again.',
  ),
  'terminal.unclear': inquireSale(
    'The terminal ended {command} with {status}: {why}',
    'Do not charge again. The till checks with the terminal automatically.',
  ),
  'terminal.busy': retrySale('The terminal is busy with {command}', 'Wait for it, or cancel it.'),
  'terminal.turn': retry(
    'This waited {seconds, plural, one {# second} other {# seconds}} for {counter}, where {what} is in progress',
    undone,
    'Try again when {counter} is free.',
  ),
  'terminal.unready': haltSale('The terminal cannot take cards: {why}', 'Have the terminal checked.'),
  'terminal.warned': retrySale('The terminal warns: {text}', 'Deal with it before the next busy time.'),
  'terminal.unknown': refuseSale(
    '"{text}" is not the address of a terminal',
    'Use zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 or the like; or only 192.168.1.20, COM3 or /dev/ttyACM0, and the till detects the protocol.',
  ),
  'terminal.protocolMissing': refuseSale(
    'The address {address} names no protocol, so nothing was sent to it',
    'Make sure that a card terminal is there, then detect its protocol: npm run till -- pair {address}',
  ),

  'terminal.unpaired': refuseSale(
    'No terminal is paired with this till',
    'Find and pair one: npm run till -- pair. A simulated one starts with: npm run simulate -- mpi --tcp 7000',
  ),

  'terminal.other': refuseSale(
    'Another terminal answers at {address}: serial number {serial}, and this till is paired with {paired}',
    'Connect the paired terminal, or pair this one: npm run till -- pair',
  ),

  'terminal.twin': refuse(
    'The terminals at {counter} and {other} report the same name: {name}',
    'Nothing was done. One of them could reverse a payment of the other, for the wrong customer.',
    'Sell at one of the two. Have the other terminal set up with its own serial number, and pair it again.',
  ),

  // Test mode and live mode
  'terminal.simulated': haltSale(
    'The terminal {model} is simulated, and this till is live',
    'Pair a real terminal: npm run till -- pair. Practise on a simulated one in test mode.',
  ),
  'terminal.real': haltSale(
    'The terminal {model} contacts its bank itself, and this till is in test mode: it would charge real cards',
    'Go live to sell on it. If it uses its manufacturer’s test host, a manager confirms that: npm run till -- test-host',
  ),
  'simulation.live': refuseAct(
    'This till is live: it starts no simulated terminal',
    'Pair a real terminal, or practise in test mode.',
  ),
  'testHost.notHere': refuseChange(
    'No terminal at {counter} can be marked as using a test host',
    'Only a paired terminal that contacts its bank itself can be, and only at a test till.',
  ),

  // Finding, pairing and diagnosing terminals
  'terminal.notFound': retry(
    'No terminal answered: {why}',
    unchanged,
    'Switch the terminal on, check the cable, then search again: npm run till -- terminals',
  ),
  'terminal.several': refuseChange(
    'There {count, plural, one {is # terminal} other {are # terminals}} here: {list}',
    'Name the one you mean by its address.',
  ),
  'config.nothingToUndo': refuseChange(
    'There is no imported configuration to undo',
    'Import the configuration that you want.',
  ),
  'config.notAllowed': refuseChange(
    '{who} may not change {fields}',
    'Ask a manager to enter their PIN for it, or leave these settings as they are.',
  ),
  'pairing.salesOpen': refuse(
    'Terminal {terminalId} still has {count, plural, one {# sale} other {# sales}} open: {receipts}',
    'Those sales keep terminal id {terminalId}. The till continues to ask the gateway about them.',
    'Finish them first: npm run till -- queue --send. To change terminals anyway: --swap',
  ),
  'pairing.oneTill': refuse(
    'A {title} terminal must belong to one till only, and nobody has confirmed that for this one',
    'With a second register on it, a payment could be booked twice, or the wrong customer’s payment reversed.',
    'Make sure that no other till or register uses it, and confirm: --yes',
  ),
  'bundle.cardData': refuseAside(
    'The support bundle was not written: there may be card data or keys in {sections}',
    'Check these sections and remove the data. To write the bundle without them: --leave-out',
  ),
  'bundle.unwritable': refuseAside(
    'The support bundle {file} cannot be written: {why}',
    'Name another file with --bundle.',
  ),

  'tape.malformed': refuseChange(
    '{file} is not a recording of a terminal: line {line}: {why}',
    'Use the file that --record wrote.',
  ),

  // Gateway
  'host.unreachable': queue(
    'The gateway cannot be reached: {why}',
    'Not charged: the request was never sent.',
    'Check the network. The till sends stored sales automatically.',
  ),
  'host.redirected': queue(
    'The gateway redirects the till to another address: {why}',
    'Not charged: the gateway did not process the request, and the till did not send it anywhere else.',
    'Ask the gateway’s operator for the right address, and set it. The till sends stored sales automatically.',
  ),
  'host.silent': inquireSale(
    'The gateway gave no valid answer: {why}',
    'Do not charge again. The till checks with the gateway automatically.',
  ),
  'gateway.plain': halt(
    'The connection to the gateway at {url} is not encrypted: it uses plain http over a public network',
    'Nothing was charged. The till sends neither payments nor the token there.',
    'Set the gateway’s https address: "baseUrl" in till.json, or --gateway.',
  ),
  'gateway.plainUnallowed': halt(
    'The connection to the gateway at {url} is not encrypted: anyone in that network can read tokens and payments',
    'Nothing was charged. The till sends neither payments nor the token there.',
    'Set the gateway’s https address: "baseUrl" in till.json, or --gateway. If it has none, a manager can allow this address: on the page that the bar above the screens opens, or with "till plain-http allow {url}".',
  ),
  'gateway.encrypted': refuseChange(
    '{url} needs no permission: the connection is encrypted or does not leave this machine',
    'There is nothing to do.',
  ),
  'gateway.port': refuseAside(
    'The gateway cannot listen on {port}: {why}',
    'Choose another port, or stop the program that uses this one.',
  ),
  'widget.missing': refuseAside(
    'The payment widget is not built: {folder} is missing or incomplete',
    'Build it, with the development packages installed: npm run build:widget',
  ),
  'gateway.configuration': refuseAside(
    'The gateway cannot start like this:{problems}',
    'Correct it. To see the resulting configuration: npm run gateway -- --check-config',
  ),
  'gateway.stopping': inquire(
    '{count, plural, one {# request was} other {# requests were}} still in progress {seconds, plural, one {# second} other {# seconds}} after the stop',
    'Unknown for those requests. The gateway finishes each payment at its next start.',
    'Start the gateway again.',
  ),
  'gateway.busy': halt(
    'Another gateway already uses {data}',
    undone,
    'Stop that gateway, or name another folder with --data.',
  ),
  'gateway.state': haltSale('The gateway’s data cannot be used: {why}', 'Keep the files and call support.'),

  // The gateway's vault of stored accounts
  'vault.damaged': halt(
    'The vault’s keys {from} cannot be used: {why}',
    'No payment is affected. Stored accounts cannot be opened without these keys; they stay stored.',
    'Restore the keys from their backup.',
  ),
  'log.unwritable': refuse(
    'The log {path} cannot be written: {why}',
    'No payment is affected: the gateway did not start.',
    'Name another file with --log, or have its permissions changed, then start it again.',
  ),
  'vault.unwritable': refuse(
    'The vault’s keys {path} cannot be written: {why}',
    'No payment is affected. The keys are unchanged.',
    'Free disk space or have the folder’s permissions changed, then try again.',
  ),
  'vault.busy': refuse(
    'The vault’s keys are already being changed: {path} exists',
    'No payment is affected. The keys are unchanged.',
    'Wait for the other rotation. If none is running, one was interrupted: delete this file and try again.',
  ),
  'vault.keyGiven': refuseAside(
    'The vault’s key comes from TILLGATE_VAULT_KEY, so no new key can be created here',
    'Put the new key first in TILLGATE_VAULT_KEY, followed by a comma and the old key, on all machines.',
  ),
  'vault.keyUnknown': haltSale(
    'The vault has no key {keyId}',
    'Restore the vault’s keys from their backup, or add the missing one to TILLGATE_VAULT_KEY.',
  ),
  'vault.foreign': haltSale(
    'The vault’s keys {from} belong to another database',
    'Restore the keys with which this database was created.',
  ),
  'vault.broken': refuseSale(
    'The stored account {id} cannot be opened: it, its key or its owner was changed',
    'Ask the customer for the card again, and call support.',
  ),
  'vault.refused': refuseSale('The account cannot be stored: {why}', correct),

  'wallet.refused': refuseSale(
    'The wallet’s token is not accepted: {why}',
    'Have the shopper pay again: each token is valid once, for a few minutes.',
  ),

  // Till, journal and queue
  'journal.corrupt': halt(
    'Journal entry {entry} fails its check: {why}',
    'Nothing is changed or repaired. The entries before {entry} can be trusted.',
    'Save it with: npm run till -- journal export --data {data}',
  ),
  'journal.newer': halt(
    'The journal in {data} has version {version}; this program reads versions up to {newest}',
    'Nothing is changed. Stored sales stay stored.',
    'Start the newer program that this till used last.',
  ),
  'journal.unproven': halt(
    'Bringing the journal in {data} to version {step} would have changed what the till holds',
    'The upgrade was undone. The journal is unchanged.',
    'Continue with the older program, keep the folder and call support.',
  ),
  'journal.unreadable': halt(
    'The journal in {data} is damaged: {why}',
    'Nothing is changed or repaired. What can still be read is kept.',
    'Save what can be read with: npm run till -- journal export --data {data}',
  ),
  'journal.gone': halt(
    'The journal {path} is missing, although this till has been used',
    'It holds stored sales and unfinished payments.',
    'Restore the folder from its backup. To start from scratch, move the whole folder away.',
  ),
  'secrets.gone': halt(
    'The till’s secrets {path} are missing or belong to another till',
    'Stored sales cannot be opened without them. They stay stored.',
    'Restore the file from its backup.',
  ),
  'journal.missing': refuseChange('There is no journal at {path}', 'Name the till’s folder with --data.'),
  'journal.unwritable': haltSale(
    'The journal cannot be written: {why}',
    'Free disk space or check the disk, then start the till again.',
  ),
  'journal.busy': haltSale(
    'Another till already uses {data}: with its screens, or as a command',
    'Use its screens, which can do everything that commands do, or stop it first with "till stop". Sales in progress continue.',
  ),
  'till.unreachable': halt(
    'The till that uses {data} cannot be reached: {why}',
    'Its sales in progress continue.',
    'Stop it where it was started, with Control-C, or through the service that runs it. A command ends by itself.',
  ),
  'boot.refused': refuseChange(
    'Windows does not let the till start with this machine: {why}',
    'Run this in a PowerShell that was started as administrator, signed in as the user who sells here.',
  ),
  'boot.share': refuseChange(
    'The till cannot start with this machine: {path} is on the share {share}',
    'Windows does not let a task without a password open a share. Put the till’s folder and this program on a ' +
      'disk of this machine, name the folder with --data, and run this again.',
  ),
  'till.notRunning': refuseChange('No till is running with {data}', 'Start it: npm start'),
  'till.unresolved': inquire(
    'The result of sale {sale} is still unknown',
    'The customer may have been charged. The till is checking.',
    'Do not charge again. Wait for the gateway, or call the manager.',
  ),
  'till.unrecorded': halt(
    'The end of sale {sale} could not be recorded: {why}',
    'The customer may have been charged. The till checks automatically when it can write again.',
    'Free disk space or check the disk. Before you charge again, look at: npm run till -- sales',
  ),
  'till.gone': inquire(
    'The till stopped before it reported how this ended: {why}',
    'The customer may have been charged. The till checks automatically once it is started again.',
    'Start the till. Before you charge again, look at: npm run till -- sales',
  ),
  'till.notFound': refuseAct('There is no sale with receipt number {receipt}', 'Check the number on the receipt.'),
  'receipt.elsewhere': refuse(
    'Receipt {receipt} belongs to another till: terminal {terminalId} made that sale',
    notRefunded,
    'Look it up at the till whose receipts say terminal {terminalId}. Only that till can refund it.',
  ),
  'receipt.unknown': refuse(
    'This code does not belong to a sale of this till',
    notRefunded,
    'Read the terminal number on the receipt, and look it up at that till. This till’s number is {terminalId}.',
  ),
  'receipt.notYet': retry(
    'The sale of receipt {receipt} has not ended yet, so there is no receipt',
    'Its result will show whether it was charged. Nothing is wrong.',
    'Ask for the receipt again when the sale has ended.',
  ),
  'till.nothingLeft': refuse(
    'Nothing is left to refund on receipt {receipt}: {why}',
    notRefunded,
    'Look at the sale: npm run till -- sales',
  ),
  'sale.newer': refuse(
    'A newer version of this program recorded something for receipt {receipt} that this one cannot read: {what}',
    'No money was moved. Receipt {receipt} is unchanged.',
    'Start the newer version: it continues this sale. All other sales continue here.',
  ),
  'till.nothingOpen': refuse(
    'Receipt {receipt} needs no decision by a person',
    'It is unchanged.',
    'Look at the sale: npm run till -- sales',
  ),
  'unpaid.none': refuse(
    'Nothing on receipt {receipt} is unpaid',
    'It is unchanged.',
    'Look at the sale: npm run till -- sales',
  ),
  'unpaid.underWay': refuse(
    'Receipt {receipt} is being charged again, as receipt {again}',
    'That sale has no result yet: with another charge the customer could pay twice.',
    'Wait for the result of that sale.',
  ),
  'unpaid.tooMuch': refuseSale(
    '{missing} is unpaid on receipt {receipt}, but the new charge is {amount}',
    'Charge the unpaid amount or less.',
  ),
  'unpaid.cardSpent': refuseSale(
    'The card scheme allows no further try for receipt {receipt}',
    'Ask the customer for another means of payment, then record that the receipt was settled otherwise.',
  ),
  'unpaid.notYet': refuseSale(
    'The card scheme allows the next try for receipt {receipt} from {from}',
    'Try again then, or ask the customer for another means of payment.',
  ),
  'till.refundTooHigh': refuseSale('At most {left} can be refunded on receipt {receipt}', 'Refund that much or less.'),

  // People
  'staff.nobody': refuseChange(
    'No staff have been added at this till yet',
    'Add the first manager: npm run till -- staff add NAME --role manager',
  ),
  'staff.needed': refuseAct(
    'This needs the name of a responsible person: {what}',
    'Use --as NAME; the till then asks for the PIN.',
  ),
  'staff.refused': refuseChange(
    'The name or the PIN is wrong',
    'Try again. After five wrong tries, one try per minute is allowed.',
  ),
  'staff.locked': refuseChange(
    'Too many wrong PINs. Minutes until the next try: {minutes}',
    'Wait, then try again. In a browser where a manager has signed in, wrong tries elsewhere do not count.',
  ),
  'staff.notAllowed': refuseAct('{name} is {role} here, and may not {what}', 'Ask someone who may do this.'),
  'staff.pinMissing': refuseChange(
    'No PIN was given',
    'Type it when asked, pipe it in, or name a file with --pin-file. Never put it on the command line.',
  ),
  'staff.pinWeak': refuseChange('This PIN is not accepted: {why}', 'Choose another one of 4 to 12 digits.'),
  'staff.name': refuseChange('A name is 1 to 40 letters, spaces, dots or hyphens', correct),
  'staff.known': refuseChange('{name} has already been added', 'Choose another name, or remove that person first.'),
  'staff.unknown': refuseChange('There is no person called {name} here', 'See the list: npm run till -- staff list'),
  'browser.unknown': refuseChange(
    'This browser is not in the list of browsers that show the names',
    'Reload the list: someone may have removed it.',
  ),
  'staff.firstManager': refuseChange(
    'The first person of a till must be a manager',
    'Add a manager first: npm run till -- staff add NAME --role manager',
  ),
  'staff.newer': refuse(
    'A newer version of this program recorded something about the staff that this one cannot read: {what}',
    'Nothing was changed. Everyone can sign in as before.',
    'Start the newer version, and change the staff there.',
  ),
  'staff.lastManager': refuseChange('{name} is the only manager of this till', 'Add another manager first.'),

  'queue.held': retry(
    '{holder} is already sending this queue',
    'Nothing was sent twice.',
    'Wait until it has finished.',
  ),
  'queue.nothingWaits': refuse(
    'Nothing on receipt {receipt} is waiting to be sent',
    'Nothing was sent.',
    'See the queue: npm run till -- queue',
  ),
  'queue.tried': refuse(
    'Message {id} may already have been sent, so it cannot be removed from the queue',
    'Nothing was changed. The till sends it, or asks about it, in turn.',
    'Wait for its answer, then refund it.',
  ),
  'till.cannotFollow': refuse(
    'Receipt {receipt} cannot be followed by {operation}: {why}',
    'No money was moved for receipt {receipt}.',
    'Look at the sale: npm run till -- sales',
  ),
  'till.heldTooLittle': refuse(
    'At most {left} of the hold on receipt {receipt} is left, but {wanted} is needed',
    'No money was moved. The hold is unchanged.',
    'Increase the hold by {more} first, then complete it; or complete {left} or less.',
  ),
  'till.amountFixed': refuse(
    'The amount of receipt {receipt} can no longer be set: it is already fixed, or the sale has ended',
    'The sale is unchanged.',
    'Look at the sale. To take another amount, cancel it and start again.',
  ),
  'training.notHere': refuseChange(
    'This is not possible in training: it would use real devices',
    'Leave training first.',
  ),
  'live.already': refuseChange('There is already a live till in {folder}', 'Restart the till: the live till opens.'),
  'live.notReady': refuseChange(
    'Not everything on the checklist for going live is done',
    'Do what the checklist says, then go live.',
  ),
  'machine.other': halt(
    'The data folder of this till belongs to another machine',
    'Nothing was charged. The till sends no waiting messages from here.',
    'A manager decides whether the folder was moved here or is a copy: on the page that the bar above the screens opens, or with "till machine". If the till’s machine was set by name, give that name at each start: --machine.',
  ),
  'machine.behind': halt(
    'The gateway has sales under this till’s terminal number that are not in its data folder: {count}',
    'Nothing was charged now. The till sends no waiting messages from here.',
    'If the folder is an older copy, a manager imports these sales from the gateway: on the page that the bar above the screens opens, or with "till machine take-over". If another till sells under the same number, import nothing: give this till its own "terminalId" in till.json, and restart it.',
  ),
  'machine.uncompared': retry(
    'The gateway has not yet listed the sales that it knows from this till',
    'Nothing is lost: waiting messages are sent after that.',
    'Check the connection, then try again.',
  ),
  'machine.settled': refuseChange(
    'The data folder of this till already belongs to this machine',
    'There is nothing to do.',
  ),
  'machine.terminals': refuseChange(
    'These terminal numbers cannot be used for a copy: {why}',
    'Enter the acquirer’s numbers for these terminals, one for each: {counters}.',
  ),
  'counter.unknown': refuseSale('There is no terminal {counter}', 'Choose one of these: {counters}.'),
  'terminal.cannot': refuseSale(
    'This till’s terminal contacts its bank itself and does not support {operation}',
    'Do it on the terminal itself, or at a till with a card reader.',
  ),
  'gift.malformed': refuseSale(
    'This is not a gift card number: {why}',
    'Scan it again, or type the digits on the card.',
  ),
  'sale.likely': inquire(
    'This amount may already have been charged: the result of {amount}, receipt {receipts}, is not known yet',
    'The new sale was not started. The earlier one may have been charged.',
    'Ask whether it is the same customer; if so, wait for that result. For another customer, name the receipts: "again" in a request, --again in a command.',
  ),
  'bill.none': refuseSale(
    'Receipt {receipt} does not belong to a split bill',
    'Name a receipt of the bill, or omit --bill and sell as usual.',
  ),
  'bill.tooMuch': refuseSale(
    '{left} of this bill is left to pay, and the result of another {unknown} is not known yet',
    'Charge the rest or less. Do not charge the unresolved amount again before its result is known.',
  ),
  'copy.failed': retry(
    'The second copy in {folder} cannot be written: {why}',
    'Nothing is lost: the journal itself is intact, and sales continue.',
    'Check that disk or share. The copy catches up automatically.',
  ),
  'export.malformed': refuseImport(
    'This file is not an export of a till’s unsent payments',
    'Name the file that "till journal export --unsent" has written.',
  ),
  'export.version': refuse(
    'This export was written by another version of Tillgate, in format {version}',
    'Nothing was imported. The till that exported these payments does not send them until it takes them back.',
    'Install the same version on both tills, or take the export back there: npm run till -- journal takeback',
  ),
  'export.unproven': refuseImport(
    'The export does not match the sealed journal of its till',
    'Check that till’s folder with: npm run till -- journal verify. Then make a new export from it.',
  ),
  'export.forged': refuseImport(
    'The export was changed after its till signed it',
    'Make a new export at that till, or from its folder.',
  ),
  'export.closed': refuseImport(
    'The export does not open with these two passphrases',
    'Have the two people who made the export enter their passphrases again.',
  ),
  'export.weak': refuse('These passphrases cannot be used: {why}', 'Nothing was exported.', 'Choose others.'),
  'export.onePerson': refuse(
    'This needs two people, and {name} signed in twice',
    'Nothing was exported.',
    'Have a second person sign in.',
  ),
  'export.nothing': refuse(
    'There is nothing unsent in {folder}',
    'Every payment has been answered or is at a terminal.',
    'There is nothing to do.',
  ),
  'export.newer': refuse(
    'A newer version of this program recorded unsent sales that this one cannot read: {count}',
    'Nothing was exported or imported.',
    'Use the newer version of this program.',
  ),
  'export.unwritable': refuse(
    'The export {path} cannot be written: {why}',
    'Nothing was handed over. The till still sends it.',
    'Name a new file on a disk with free space.',
  ),
  'export.unprepared': refuse(
    'The till no longer has export {id} prepared: it was restarted, or another export was made since',
    'Nothing was handed over. The till still sends it.',
    'Delete the file and export again.',
  ),
  'export.own': refuseImport(
    'This export was made by this till',
    'To send its payments from here after all: npm run till -- journal takeback',
  ),
  'export.known': refuse(
    'All of export {id} has already been imported',
    'Nothing was imported twice.',
    'See its progress with: npm run till -- journal foreign',
  ),
  'export.otherGateway': refuseImport(
    'The export holds payments for another gateway: {gateway}',
    'Import it at a till with that gateway and channel.',
  ),
  'export.otherMode': refuseImport(
    'The export comes from a {theirs} till, and this till is {ours}',
    'Import it at a till of the same mode.',
  ),
  'export.noneOut': refuse(
    'This till has handed nothing over, or has taken everything back',
    'The till sends its payments itself.',
    'There is nothing to do.',
  ),
  'seal.broken': halt(
    'Stored record {id} cannot be opened',
    'It was not sent, and stays stored.',
    'Keep the till’s data and call support.',
  ),

  // Books: where the money is, business days, settlement
  'books.unbalanced': halt(
    'The books do not balance at {amount}: {why}',
    'The step was not recorded. Everything recorded before is safe.',
    'Do not charge again. Call support, and keep the till’s data.',
  ),
  'books.nothingToClose': refuseChange(
    'There is nothing to close: no sale was started since the last close',
    'Look at the closed batches: npm run till -- batch list',
  ),
  'books.newer': refuse(
    'A newer version of this program recorded something for batch {batch} that this one cannot read: {what}',
    'Nothing was counted or closed. Sales continue and stay in that batch.',
    'Start the newer version, and close the batch there.',
  ),
  'books.notFound': refuseChange(
    'There is no batch {batch} on this till',
    'Look at the batches: npm run till -- batch list',
  ),
  'books.openMoney': inquire(
    'The batch cannot be closed: {count, plural, one {# of its sales has} other {# of its sales have}} not ended, {amounts}',
    'Their result is not known, or they have not been sent yet. Nothing was closed.',
    'Settle each one as listed, or close with --override --as NAME --reason TEXT.',
  ),
  'books.closeWaited': retry(
    'The close waited {minutes, plural, one {# minute} other {# minutes}} for a sale that is still in progress: receipt {receipts}',
    'Nothing was closed. The sale continues.',
    'Close again when the sale has ended, or cancel it at its counter.',
  ),
  'books.closeCancelled': retry(
    'The close was cancelled while it waited for a sale in progress: receipt {receipts}',
    'Nothing was closed. The sale continues.',
    'Close again at any time.',
  ),
  'books.gatewaySilent': retry(
    'The gateway did not answer for {count, plural, one {# sale} other {# sales}} of the batch, so nothing could be compared',
    'All sales are in the journal. New sales go to the next batch.',
    'Run the close again when the connection is back: it continues where it stopped.',
  ),
  'books.overrideMalformed': refuse(
    'The override is not complete: {why}',
    'Nothing was closed.',
    'Use --as NAME and --reason TEXT with --override.',
  ),
  'books.zBroken': halt(
    'Z report {number} fails its check: {why}',
    'The sales themselves are in the journal, which has its own hash chain.',
    'Keep the till’s data and call support.',
  ),
  'schedule.aside': halt(
    'Schedule {id} was set aside when it fell due: it cannot be worked out ({why})',
    'It has charged nothing, and it will not. All other schedules continue.',
    'Repair it, or bring this machine’s time zones up to date, and then reschedule it.',
  ),
  'settlement.early': refuse(
    'The day {day} is not over',
    'Nothing was settled. Each payment is in the batch of its day.',
    'Come back after the end of the day, or ask for a provisional file with --out alone.',
  ),
  'settlement.unsent': queue(
    'The settlement file {file} was not uploaded to {host}: {why}',
    'No payment is affected. The file is in its folder.',
    'The upload is retried automatically. If it fails again, check the server, its host key and the login.',
  ),
  'chargebacks.unreadable': refuse(
    'The list of chargebacks {file} cannot be used: {why}',
    'No chargeback was booked from it.',
    'Correct it and import it again: nothing is booked twice.',
  ),
  'settlement.notFound': refuseChange(
    'There is no reconciliation {id}, or no such difference in it',
    'Look at the list of reconciliations, or import the settlement file again.',
  ),
  'settlement.unreadable': refuseChange(
    'The settlement file {file} cannot be used: {why}',
    'Ask for the file again, as UTF-8 CSV with semicolons and its header line.',
  ),

  'secrets.tillRuns': refuseChange(
    'A till is running with {data} and already has its secrets open',
    'Commands work with it is. To use the folder without the till’s window, close the window first.',
  ),
  'secrets.wrongCode': refuseChange(
    'This is not the recovery code of this till',
    'Check the code: it has 26 letters and digits. 0 and O count as the same, and so do 1 and I.',
  ),
  'secrets.sealed': refuseChange(
    '{file} is encrypted with a key from this machine’s key store',
    'Open the till’s own window; for the command line: npm run till -- unseal, with the recovery code.',
  ),

  // The till's local API
  'session.needed': refuseAct('Nobody is signed in', 'Sign in and try again. A sale in progress continues.'),
  'session.code': refuseChange(
    'This code is not valid, or no longer is',
    'Use the address that the till printed at its last start. Once staff have been added, sign in by name.',
  ),
  'session.notAllowed': refuseAct('{who} may not {what}', 'Ask a manager to enter their PIN.'),
  'session.pinNeeded': refuseAct('This needs your PIN: {what}', 'Enter your PIN.'),
  'till.stopping': retry(
    'The till is being stopped',
    undone,
    'Repeat the same request in ten seconds, and until the till answers: nothing is done twice. Start the till if it does not start by itself. It finishes a sale in progress first.',
  ),
  'till.reopening': retry(
    'The till is restarting, and requests in progress were ended',
    undone,
    'Send it again in a few seconds.',
  ),
  'till.occupied': retry(
    'The till cannot restart yet: a request is still in progress',
    undone,
    'There is nothing to do: the till retries automatically.',
  ),
  'upload.underWay': refuseChange(
    'Another file from you is still being read',
    'Wait until it has finished, or cancel that upload, then send this file again.',
  ),
  'upload.stalled': retry(
    'The upload was stopped: it sent fewer than {bytes, plural, one {# byte} other {# bytes}} in {seconds} s',
    unchanged,
    'Look at the connection, then send it again.',
  ),
  'session.changed': refuseAct(
    'Someone has signed in again in another window of this browser',
    'Check who is signed in now, and try again.',
  ),
  'posKey.known': refuseChange('There is already a key for {name}', 'Remove it first, or choose another name.'),
  'posKey.unknown': refuseChange('There is no key for {name}', 'Look at the list: npm run till -- pos-key list.'),
  'posKey.full': refuseChange(
    'No key was created: this till has {count, plural, one {# key} other {# keys}} of at most {most}',
    'Remove a key that no program uses any more, then create this one.',
  ),
  'posKey.approvalNeeded': refuseChange(
    'A key that lets a program sell needs a manager’s approval',
    'Use --approved-by NAME; the till then asks for the manager’s PIN.',
  ),
  'posKey.malformed': refuseChange('No key was created: {why}', correct),
  'screens.missing': refuseChange(
    'The till’s screens are not built: there is no {file}',
    'Run npm run build:ui, and start again.',
  ),
  'screens.port': refuse(
    'The till cannot listen on {where}: {why}',
    'Stored sales are safe.',
    'Choose another one with --port or --socket, or stop the program that uses it.',
  ),
  'text.cardData': refuseAct(
    'The input contains card data, which the till only stores encrypted: {where}',
    'Remove the card number, the security code and the magnetic stripe data, and try again.',
  ),
  'request.malformed': refuseAct('The input is not valid: {why}', correct),
  'request.tooLarge': refuseAct(
    'The request has more than {bytes, plural, one {# byte} other {# bytes}}',
    'Send less at once.',
  ),
  'request.foreign': refuseAct('The request was refused: {why}', 'Open the till’s own page, and sign in there.'),
  'request.unknown': refuseAct('There is nothing at {path}', 'Look it up in /api/openapi.json.'),
  'events.elsewhere': refuseChange(
    'The till does not know the event to continue from: it came from another till, or this copy has lost it',
    'Read the lists of sales again, then listen from {here} on.',
  ),
  'events.tooOld': refuseChange(
    'The event to continue from is too old: the till does not repeat the events after it',
    'Read the lists of sales again, then listen from {here} on.',
  ),
  'request.keyReused': refuse(
    'The Idempotency-Key was used for another request',
    'The first request is unchanged; this one did nothing.',
    'Use a new key for a new request.',
  ),

  // Paper and printers: a printer problem never affects a sale
  'printer.none': refuse(
    'No printer is set up{which}',
    'The sale is not affected.',
    'Add a printer in the settings, or show the receipt on the screen.',
  ),
  'printer.address': refuseChange(
    '"{text}" is not the address of a printer',
    'Use escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 or escpos+usb:/dev/usb/lp0.',
  ),
  'printer.known': refuseChange(
    'There is already a printer named {name}',
    'Choose another name, or remove that one first.',
  ),
  'printer.away': queue(
    'The printer {name} does not answer: {why}',
    'The sale is not affected. A running till keeps the document and prints it when the printer is back.',
    'Switch the printer on and check its cable.',
  ),
  'printer.paperOut': queue(
    'The printer {name} is out of paper',
    'The sale is not affected. A running till keeps the document and prints it when there is a new roll.',
    'Put in a new roll and close the cover.',
  ),
  'printer.coverOpen': queue(
    'The cover of the printer {name} is open',
    'The sale is not affected. A running till keeps the document and prints it when the cover is closed.',
    'Close the cover.',
  ),
  'printer.error': queue(
    'The printer {name} reports an error: {why}',
    'The sale is not affected. A running till keeps the document.',
    'Look at the printer; switch it off and on again.',
  ),
  'printer.full': refuse(
    '{waiting, plural, one {# document is} other {# documents are}} already waiting for the printer {name}',
    'The sale is not affected. This document was not accepted: print it again later.',
    'Check the printer first.',
  ),
  'printer.noDrawer': refuseAct(
    'No printer has a cash drawer',
    'Choose in the settings which printer the drawer is connected to.',
  ),
  'printer.picture': refuseChange(
    'The picture {name} cannot be printed: {why}',
    'Use a PNG file of at most 1200 × 1200 dots and 512 KB, best in black and white.',
  ),
} satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof faults;
