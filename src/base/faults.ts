/**
 * Everything that can go wrong, in one table. A declined card is an outcome, not a fault.
 *
 * `says` is what happened, `money` what it means for the money, `next` what a person does now.
 * `remedy` is for code: retry (safe at once), inquire (ask before anything else), queue (keep and send later),
 * halt (stop selling until a person acted), refuse (the input was wrong; nothing was done).
 */
export type Remedy = 'retry' | 'inquire' | 'queue' | 'halt' | 'refuse';
export type FaultRow = { says: string; money: string; next: string; remedy: Remedy };

const nothingDone = 'Nothing was charged.';
/** If no money is involved. */
const unchanged = 'Nothing was changed.';
/** If money may be involved. */
const undone = 'Nothing was done.';
const correct = 'Correct it and try again.';

export const faults = {
  // Always a bug of the program.
  'program.failed': {
    says: 'Something unexpected went wrong: {why}',
    money: 'Everything that was recorded is safe.',
    next: 'Restart the till: it finishes open sales automatically. Tell support what you did.',
    remedy: 'halt',
  },

  // Input at the edges
  'hex.malformed': {
    says: 'A hex text of {length} characters is malformed',
    money: nothingDone,
    next: correct,
    remedy: 'refuse',
  },
  'amount.malformed': {
    says: 'The amount "{text}" is not an amount of {currency}: {why}',
    money: nothingDone,
    next: 'Enter it as 12.50.',
    remedy: 'refuse',
  },
  'amount.unrepresentable': {
    says: 'An amount of {minor} minor units of {currency} cannot be written with two decimals',
    money: nothingDone,
    next: 'Round to the next ten minor units.',
    remedy: 'refuse',
  },
  'amount.unpositive': {
    says: 'An amount of {amount} cannot be charged or refunded',
    money: nothingDone,
    next: 'Enter an amount above zero.',
    remedy: 'refuse',
  },
  'currency.unknown': {
    says: '"{text}" is not an ISO 4217 currency',
    money: nothingDone,
    next: 'Use a code such as EUR.',
    remedy: 'refuse',
  },
  'currency.differs': {
    says: 'An amount in {left} cannot be combined with one in {right}',
    money: nothingDone,
    next: correct,
    remedy: 'refuse',
  },
  'folder.unusable': {
    says: 'The folder {path} cannot be used: {why}',
    money: unchanged,
    next: 'Name another folder with --data, or have its permissions changed.',
    remedy: 'refuse',
  },
  'file.held': {
    says: 'Another program has {file} open, so it could not be written',
    money: unchanged,
    next: 'Wait until the virus scanner, the backup or the file sync has finished with it, or stop that program. Then try again.',
    remedy: 'refuse',
  },
  'config.malformed': {
    says: 'The configuration {file} cannot be used: {why}',
    money: unchanged,
    next: correct,
    remedy: 'refuse',
  },
  'command.malformed': { says: '{why}', money: nothingDone, next: 'Run the command with --help.', remedy: 'refuse' },

  // EMV data and cryptography
  'tlv.malformed': {
    says: 'The TLV data is malformed at byte {offset}: {why}',
    money: nothingDone,
    next: 'Try the card again.',
    remedy: 'retry',
  },
  'emv.malformed': {
    says: '{what} is malformed: {why}',
    money: nothingDone,
    next: 'Try the card again.',
    remedy: 'retry',
  },
  'key.malformed': {
    says: '{what} cannot be used as a key or key serial number: {why}',
    money: nothingDone,
    next: 'Have the terminal’s keys checked.',
    remedy: 'halt',
  },
  'key.exhausted': {
    says: 'The key with serial number {ksn} has been used up',
    money: nothingDone,
    next: 'Have new keys loaded into the terminal.',
    remedy: 'halt',
  },
  'pin.block': {
    says: 'The PIN block is not of format {format}: {why}',
    money: nothingDone,
    next: 'Enter the PIN again.',
    remedy: 'retry',
  },

  // Terminal and link
  'link.unavailable': {
    says: 'The port {port} cannot be opened: {why}',
    money: nothingDone,
    next: 'Check the cable, and that no other program uses the port.',
    remedy: 'retry',
  },
  'link.lost': {
    says: 'The connection to the terminal at {port} was lost: {why}',
    money: 'Unknown until the till has checked.',
    next: 'Check the cable. The till checks with the gateway automatically.',
    remedy: 'inquire',
  },
  'terminal.silent': {
    says: 'The terminal did not answer {command} within {ms} ms',
    money: 'Unknown until the till has checked.',
    next: 'Check the terminal. The till checks with the gateway automatically.',
    remedy: 'inquire',
  },
  'terminal.garbled': {
    says: 'The terminal sent {bytes, plural, one {# byte that is} other {# bytes that are}} not a valid answer',
    money: 'Unknown until the till has checked.',
    next: 'Check the cable and the terminal’s model.',
    remedy: 'inquire',
  },
  'terminal.stray': {
    says: 'The terminal sent an unexpected answer of {bytes, plural, one {# byte} other {# bytes}}',
    money: 'The till ignored it.',
    next: 'There is nothing to do. Have the terminal checked if it happens often.',
    remedy: 'retry',
  },
  'terminal.strays': {
    says: 'The terminal sent {count, plural, one {# more unexpected message} other {# more unexpected messages}}',
    money: 'The till ignored them.',
    next: 'Have the terminal checked.',
    remedy: 'retry',
  },
  'terminal.refused': {
    says: 'The terminal refused {command} with status {status}: {why}',
    money: nothingDone,
    next: 'Try again; restart the terminal if it happens again.',
    remedy: 'retry',
  },
  'terminal.unclear': {
    says: 'The terminal ended {command} with {status}: {why}',
    money: 'Unknown until the till has checked.',
    next: 'Do not charge again. The till checks with the terminal automatically.',
    remedy: 'inquire',
  },
  'terminal.busy': {
    says: 'The terminal is busy with {command}',
    money: nothingDone,
    next: 'Wait for it, or cancel it.',
    remedy: 'retry',
  },
  'terminal.turn': {
    says: 'This waited {seconds, plural, one {# second} other {# seconds}} for {counter}, where {what} is in progress',
    money: undone,
    next: 'Try again when {counter} is free.',
    remedy: 'retry',
  },
  'terminal.unready': {
    says: 'The terminal cannot take cards: {why}',
    money: nothingDone,
    next: 'Have the terminal checked.',
    remedy: 'halt',
  },
  'terminal.warned': {
    says: 'The terminal warns: {text}',
    money: nothingDone,
    next: 'Deal with it before the next busy time.',
    remedy: 'retry',
  },
  'terminal.unknown': {
    says: '"{text}" is not the address of a terminal',
    money: nothingDone,
    next: 'Use zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 or the like; or only 192.168.1.20, COM3 or /dev/ttyACM0, and the till detects the protocol.',
    remedy: 'refuse',
  },
  'terminal.protocolMissing': {
    says: 'The address {address} names no protocol, so nothing was sent to it',
    money: nothingDone,
    next: 'Make sure that a card terminal is there, then detect its protocol: npm run till -- pair {address}',
    remedy: 'refuse',
  },

  'terminal.unpaired': {
    says: 'No terminal is paired with this till',
    money: nothingDone,
    next: 'Find and pair one: npm run till -- pair. A simulated one starts with: npm run simulate -- mpi --tcp 7000',
    remedy: 'refuse',
  },

  'terminal.other': {
    says: 'Another terminal answers at {address}: serial number {serial}, and this till is paired with {paired}',
    money: nothingDone,
    next: 'Connect the paired terminal, or pair this one: npm run till -- pair',
    remedy: 'refuse',
  },

  'terminal.twin': {
    says: 'The terminals at {counter} and {other} report the same name: {name}',
    money: 'Nothing was done. One of them could reverse a payment of the other, for the wrong customer.',
    next: 'Sell at one of the two. Have the other terminal set up with its own serial number, and pair it again.',
    remedy: 'refuse',
  },

  // Test mode and live mode
  'terminal.simulated': {
    says: 'The terminal {model} is simulated, and this till is live',
    money: nothingDone,
    next: 'Pair a real terminal: npm run till -- pair. Practise on a simulated one in test mode.',
    remedy: 'halt',
  },
  'terminal.real': {
    says: 'The terminal {model} contacts its bank itself, and this till is in test mode: it would charge real cards',
    money: nothingDone,
    next: 'Go live to sell on it. If it uses its manufacturer’s test host, a manager confirms that: npm run till -- test-host',
    remedy: 'halt',
  },
  'simulation.live': {
    says: 'This till is live: it starts no simulated terminal',
    money: undone,
    next: 'Pair a real terminal, or practise in test mode.',
    remedy: 'refuse',
  },
  'testHost.notHere': {
    says: 'No terminal at {counter} can be marked as using a test host',
    money: unchanged,
    next: 'Only a paired terminal that contacts its bank itself can be, and only at a test till.',
    remedy: 'refuse',
  },

  // Finding, pairing and diagnosing terminals
  'terminal.notFound': {
    says: 'No terminal answered: {why}',
    money: unchanged,
    next: 'Switch the terminal on, check the cable, then search again: npm run till -- terminals',
    remedy: 'retry',
  },
  'terminal.several': {
    says: 'There {count, plural, one {is # terminal} other {are # terminals}} here: {list}',
    money: unchanged,
    next: 'Name the one you mean by its address.',
    remedy: 'refuse',
  },
  'config.nothingToUndo': {
    says: 'There is no imported configuration to undo',
    money: unchanged,
    next: 'Import the configuration that you want.',
    remedy: 'refuse',
  },
  'config.notAllowed': {
    says: '{who} may not change {fields}',
    money: unchanged,
    next: 'Ask a manager to enter their PIN for it, or leave these settings as they are.',
    remedy: 'refuse',
  },
  'pairing.salesOpen': {
    says: 'Terminal {terminalId} still has {count, plural, one {# sale} other {# sales}} open: {receipts}',
    money: 'Those sales keep terminal id {terminalId}. The till continues to ask the gateway about them.',
    next: 'Finish them first: npm run till -- queue --send. To change terminals anyway: --swap',
    remedy: 'refuse',
  },
  'pairing.oneTill': {
    says: 'A {title} terminal must belong to one till only, and nobody has confirmed that for this one',
    money: 'With a second register on it, a payment could be booked twice, or the wrong customer’s payment reversed.',
    next: 'Make sure that no other till or register uses it, and confirm: --yes',
    remedy: 'refuse',
  },
  'bundle.cardData': {
    says: 'The support bundle was not written: there may be card data or keys in {sections}',
    money: 'No payment is affected.',
    next: 'Check these sections and remove the data. To write the bundle without them: --leave-out',
    remedy: 'refuse',
  },
  'bundle.unwritable': {
    says: 'The support bundle {file} cannot be written: {why}',
    money: 'No payment is affected.',
    next: 'Name another file with --bundle.',
    remedy: 'refuse',
  },

  'tape.malformed': {
    says: '{file} is not a recording of a terminal: line {line}: {why}',
    money: unchanged,
    next: 'Use the file that --record wrote.',
    remedy: 'refuse',
  },

  // Gateway
  'host.unreachable': {
    says: 'The gateway cannot be reached: {why}',
    money: 'Not charged: the request was never sent.',
    next: 'Check the network. The till sends stored sales automatically.',
    remedy: 'queue',
  },
  'host.redirected': {
    says: 'The gateway redirects the till to another address: {why}',
    money: 'Not charged: the gateway did not process the request, and the till did not send it anywhere else.',
    next: 'Ask the gateway’s operator for the right address, and set it. The till sends stored sales automatically.',
    remedy: 'queue',
  },
  'host.silent': {
    says: 'The gateway gave no valid answer: {why}',
    money: 'Unknown until the till has checked.',
    next: 'Do not charge again. The till checks with the gateway automatically.',
    remedy: 'inquire',
  },
  'gateway.plain': {
    says: 'The connection to the gateway at {url} is not encrypted: it uses plain http over a public network',
    money: 'Nothing was charged. The till sends neither payments nor the token there.',
    next: 'Set the gateway’s https address: "baseUrl" in till.json, or --gateway.',
    remedy: 'halt',
  },
  'gateway.plainUnallowed': {
    says: 'The connection to the gateway at {url} is not encrypted: anyone in that network can read tokens and payments',
    money: 'Nothing was charged. The till sends neither payments nor the token there.',
    next: 'Set the gateway’s https address: "baseUrl" in till.json, or --gateway. If it has none, a manager can allow this address: on the page that the bar above the screens opens, or with "till plain-http allow {url}".',
    remedy: 'halt',
  },
  'gateway.encrypted': {
    says: '{url} needs no permission: the connection is encrypted or does not leave this machine',
    money: unchanged,
    next: 'There is nothing to do.',
    remedy: 'refuse',
  },
  'gateway.port': {
    says: 'The gateway cannot listen on {port}: {why}',
    money: 'No payment is affected.',
    next: 'Choose another port, or stop the program that uses this one.',
    remedy: 'refuse',
  },
  'widget.missing': {
    says: 'The payment widget is not built: {folder} is missing or incomplete',
    money: 'No payment is affected.',
    next: 'Build it, with the development packages installed: npm run build:widget',
    remedy: 'refuse',
  },
  'gateway.configuration': {
    says: 'The gateway cannot start like this:{problems}',
    money: 'No payment is affected.',
    next: 'Correct it. To see the resulting configuration: npm run gateway -- --check-config',
    remedy: 'refuse',
  },
  'gateway.stopping': {
    says: '{count, plural, one {# request was} other {# requests were}} still in progress {seconds, plural, one {# second} other {# seconds}} after the stop',
    money: 'Unknown for those requests. The gateway finishes each payment at its next start.',
    next: 'Start the gateway again.',
    remedy: 'inquire',
  },
  'gateway.busy': {
    says: 'Another gateway already uses {data}',
    money: undone,
    next: 'Stop that gateway, or name another folder with --data.',
    remedy: 'halt',
  },
  'gateway.state': {
    says: 'The gateway’s data cannot be used: {why}',
    money: nothingDone,
    next: 'Keep the files and call support.',
    remedy: 'halt',
  },

  // The gateway's vault of stored accounts
  'vault.damaged': {
    says: 'The vault’s keys {from} cannot be used: {why}',
    money: 'No payment is affected. Stored accounts cannot be opened without these keys; they stay stored.',
    next: 'Restore the keys from their backup.',
    remedy: 'halt',
  },
  'log.unwritable': {
    says: 'The log {path} cannot be written: {why}',
    money: 'No payment is affected: the gateway did not start.',
    next: 'Name another file with --log, or have its permissions changed, then start it again.',
    remedy: 'refuse',
  },
  'vault.unwritable': {
    says: 'The vault’s keys {path} cannot be written: {why}',
    money: 'No payment is affected. The keys are unchanged.',
    next: 'Free disk space or have the folder’s permissions changed, then try again.',
    remedy: 'refuse',
  },
  'vault.busy': {
    says: 'The vault’s keys are already being changed: {path} exists',
    money: 'No payment is affected. The keys are unchanged.',
    next: 'Wait for the other rotation. If none is running, one was interrupted: delete this file and try again.',
    remedy: 'refuse',
  },
  'vault.keyGiven': {
    says: 'The vault’s key comes from TILLGATE_VAULT_KEY, so no new key can be created here',
    money: 'No payment is affected.',
    next: 'Put the new key first in TILLGATE_VAULT_KEY, followed by a comma and the old key, on all machines.',
    remedy: 'refuse',
  },
  'vault.keyUnknown': {
    says: 'The vault has no key {keyId}',
    money: nothingDone,
    next: 'Restore the vault’s keys from their backup, or add the missing one to TILLGATE_VAULT_KEY.',
    remedy: 'halt',
  },
  'vault.foreign': {
    says: 'The vault’s keys {from} belong to another database',
    money: nothingDone,
    next: 'Restore the keys with which this database was created.',
    remedy: 'halt',
  },
  'vault.broken': {
    says: 'The stored account {id} cannot be opened: it, its key or its owner was changed',
    money: nothingDone,
    next: 'Ask the customer for the card again, and call support.',
    remedy: 'refuse',
  },
  'vault.refused': {
    says: 'The account cannot be stored: {why}',
    money: nothingDone,
    next: correct,
    remedy: 'refuse',
  },

  'wallet.refused': {
    says: 'The wallet’s token is not accepted: {why}',
    money: nothingDone,
    next: 'Have the shopper pay again: each token is valid once, for a few minutes.',
    remedy: 'refuse',
  },

  // Till, journal and queue
  'journal.corrupt': {
    says: 'Journal entry {entry} fails its check: {why}',
    money: 'Nothing is changed or repaired. The entries before {entry} can be trusted.',
    next: 'Save it with: npm run till -- journal export --data {data}',
    remedy: 'halt',
  },
  'journal.newer': {
    says: 'The journal in {data} has version {version}; this program reads versions up to {newest}',
    money: 'Nothing is changed. Stored sales stay stored.',
    next: 'Start the newer program that this till used last.',
    remedy: 'halt',
  },
  'journal.unproven': {
    says: 'Bringing the journal in {data} to version {step} would have changed what the till holds',
    money: 'The upgrade was undone. The journal is unchanged.',
    next: 'Continue with the older program, keep the folder and call support.',
    remedy: 'halt',
  },
  'journal.unreadable': {
    says: 'The journal in {data} is damaged: {why}',
    money: 'Nothing is changed or repaired. What can still be read is kept.',
    next: 'Save what can be read with: npm run till -- journal export --data {data}',
    remedy: 'halt',
  },
  'journal.gone': {
    says: 'The journal {path} is missing, although this till has been used',
    money: 'It holds stored sales and unfinished payments.',
    next: 'Restore the folder from its backup. To start from scratch, move the whole folder away.',
    remedy: 'halt',
  },
  'secrets.gone': {
    says: 'The till’s secrets {path} are missing or belong to another till',
    money: 'Stored sales cannot be opened without them. They stay stored.',
    next: 'Restore the file from its backup.',
    remedy: 'halt',
  },
  'journal.missing': {
    says: 'There is no journal at {path}',
    money: unchanged,
    next: 'Name the till’s folder with --data.',
    remedy: 'refuse',
  },
  'journal.unwritable': {
    says: 'The journal cannot be written: {why}',
    money: nothingDone,
    next: 'Free disk space or check the disk, then start the till again.',
    remedy: 'halt',
  },
  'journal.busy': {
    says: 'Another till already uses {data}: with its screens, or as a command',
    money: nothingDone,
    next: 'Use its screens, which can do everything that commands do, or stop it first with "till stop". Sales in progress continue.',
    remedy: 'halt',
  },
  'till.unreachable': {
    says: 'The till that uses {data} cannot be reached: {why}',
    money: 'Its sales in progress continue.',
    next: 'Stop it where it was started, with Control-C, or through the service that runs it. A command ends by itself.',
    remedy: 'halt',
  },
  'boot.refused': {
    says: 'Windows does not let the till start with this machine: {why}',
    money: unchanged,
    next: 'Run this in a PowerShell that was started as administrator, signed in as the user who sells here.',
    remedy: 'refuse',
  },
  'boot.share': {
    says: 'The till cannot start with this machine: {path} is on the share {share}',
    money: unchanged,
    next:
      'Windows does not let a task without a password open a share. Put the till’s folder and this program on a ' +
      'disk of this machine, name the folder with --data, and run this again.',
    remedy: 'refuse',
  },
  'till.notRunning': {
    says: 'No till is running with {data}',
    money: unchanged,
    next: 'Start it: npm start',
    remedy: 'refuse',
  },
  'till.unresolved': {
    says: 'The result of sale {sale} is still unknown',
    money: 'The customer may have been charged. The till is checking.',
    next: 'Do not charge again. Wait for the gateway, or call the manager.',
    remedy: 'inquire',
  },
  'till.unrecorded': {
    says: 'The end of sale {sale} could not be recorded: {why}',
    money: 'The customer may have been charged. The till checks automatically when it can write again.',
    next: 'Free disk space or check the disk. Before you charge again, look at: npm run till -- sales',
    remedy: 'halt',
  },
  'till.gone': {
    says: 'The till stopped before it reported how this ended: {why}',
    money: 'The customer may have been charged. The till checks automatically once it is started again.',
    next: 'Start the till. Before you charge again, look at: npm run till -- sales',
    remedy: 'inquire',
  },
  'till.notFound': {
    says: 'There is no sale with receipt number {receipt}',
    money: undone,
    next: 'Check the number on the receipt.',
    remedy: 'refuse',
  },
  'receipt.elsewhere': {
    says: 'Receipt {receipt} belongs to another till: terminal {terminalId} made that sale',
    money: 'Nothing was refunded.',
    next: 'Look it up at the till whose receipts say terminal {terminalId}. Only that till can refund it.',
    remedy: 'refuse',
  },
  'receipt.unknown': {
    says: 'This code does not belong to a sale of this till',
    money: 'Nothing was refunded.',
    next: 'Read the terminal number on the receipt, and look it up at that till. This till’s number is {terminalId}.',
    remedy: 'refuse',
  },
  'receipt.notYet': {
    says: 'The sale of receipt {receipt} has not ended yet, so there is no receipt',
    money: 'Its result will show whether it was charged. Nothing is wrong.',
    next: 'Ask for the receipt again when the sale has ended.',
    remedy: 'retry',
  },
  'till.nothingLeft': {
    says: 'Nothing is left to refund on receipt {receipt}: {why}',
    money: 'Nothing was refunded.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'sale.newer': {
    says: 'A newer version of this program recorded something for receipt {receipt} that this one cannot read: {what}',
    money: 'No money was moved. Receipt {receipt} is unchanged.',
    next: 'Start the newer version: it continues this sale. All other sales continue here.',
    remedy: 'refuse',
  },
  'till.nothingOpen': {
    says: 'Receipt {receipt} needs no decision by a person',
    money: 'It is unchanged.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'unpaid.none': {
    says: 'Nothing on receipt {receipt} is unpaid',
    money: 'It is unchanged.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'unpaid.underWay': {
    says: 'Receipt {receipt} is being charged again, as receipt {again}',
    money: 'That sale has no result yet: with another charge the customer could pay twice.',
    next: 'Wait for the result of that sale.',
    remedy: 'refuse',
  },
  'unpaid.tooMuch': {
    says: '{missing} is unpaid on receipt {receipt}, but the new charge is {amount}',
    money: 'Nothing was charged.',
    next: 'Charge the unpaid amount or less.',
    remedy: 'refuse',
  },
  'unpaid.cardSpent': {
    says: 'The card scheme allows no further try for receipt {receipt}',
    money: 'Nothing was charged.',
    next: 'Ask the customer for another means of payment, then record that the receipt was settled otherwise.',
    remedy: 'refuse',
  },
  'unpaid.notYet': {
    says: 'The card scheme allows the next try for receipt {receipt} from {from}',
    money: 'Nothing was charged.',
    next: 'Try again then, or ask the customer for another means of payment.',
    remedy: 'refuse',
  },
  'till.refundTooHigh': {
    says: 'At most {left} can be refunded on receipt {receipt}',
    money: nothingDone,
    next: 'Refund that much or less.',
    remedy: 'refuse',
  },

  // People
  'staff.nobody': {
    says: 'No staff have been added at this till yet',
    money: unchanged,
    next: 'Add the first manager: npm run till -- staff add NAME --role manager',
    remedy: 'refuse',
  },
  'staff.needed': {
    says: 'This needs the name of a responsible person: {what}',
    money: undone,
    next: 'Use --as NAME; the till then asks for the PIN.',
    remedy: 'refuse',
  },
  'staff.refused': {
    says: 'The name or the PIN is wrong',
    money: unchanged,
    next: 'Try again. After five wrong tries, one try per minute is allowed.',
    remedy: 'refuse',
  },
  'staff.locked': {
    says: 'Too many wrong PINs. Minutes until the next try: {minutes}',
    money: unchanged,
    next: 'Wait, then try again. In a browser where a manager has signed in, wrong tries elsewhere do not count.',
    remedy: 'refuse',
  },
  'staff.notAllowed': {
    says: '{name} is {role} here, and may not {what}',
    money: undone,
    next: 'Ask someone who may do this.',
    remedy: 'refuse',
  },
  'staff.pinMissing': {
    says: 'No PIN was given',
    money: unchanged,
    next: 'Type it when asked, pipe it in, or name a file with --pin-file. Never put it on the command line.',
    remedy: 'refuse',
  },
  'staff.pinWeak': {
    says: 'This PIN is not accepted: {why}',
    money: unchanged,
    next: 'Choose another one of 4 to 12 digits.',
    remedy: 'refuse',
  },
  'staff.name': {
    says: 'A name is 1 to 40 letters, spaces, dots or hyphens',
    money: unchanged,
    next: correct,
    remedy: 'refuse',
  },
  'staff.known': {
    says: '{name} has already been added',
    money: unchanged,
    next: 'Choose another name, or remove that person first.',
    remedy: 'refuse',
  },
  'staff.unknown': {
    says: 'There is no person called {name} here',
    money: unchanged,
    next: 'See the list: npm run till -- staff list',
    remedy: 'refuse',
  },
  'browser.unknown': {
    says: 'This browser is not in the list of browsers that show the names',
    money: unchanged,
    next: 'Reload the list: someone may have removed it.',
    remedy: 'refuse',
  },
  'staff.firstManager': {
    says: 'The first person of a till must be a manager',
    money: unchanged,
    next: 'Add a manager first: npm run till -- staff add NAME --role manager',
    remedy: 'refuse',
  },
  'staff.newer': {
    says: 'A newer version of this program recorded something about the staff that this one cannot read: {what}',
    money: 'Nothing was changed. Everyone can sign in as before.',
    next: 'Start the newer version, and change the staff there.',
    remedy: 'refuse',
  },
  'staff.lastManager': {
    says: '{name} is the only manager of this till',
    money: unchanged,
    next: 'Add another manager first.',
    remedy: 'refuse',
  },

  'queue.held': {
    says: '{holder} is already sending this queue',
    money: 'Nothing was sent twice.',
    next: 'Wait until it has finished.',
    remedy: 'retry',
  },
  'queue.nothingWaits': {
    says: 'Nothing on receipt {receipt} is waiting to be sent',
    money: 'Nothing was sent.',
    next: 'See the queue: npm run till -- queue',
    remedy: 'refuse',
  },
  'queue.tried': {
    says: 'Message {id} may already have been sent, so it cannot be removed from the queue',
    money: 'Nothing was changed. The till sends it, or asks about it, in turn.',
    next: 'Wait for its answer, then refund it.',
    remedy: 'refuse',
  },
  'till.cannotFollow': {
    says: 'Receipt {receipt} cannot be followed by {operation}: {why}',
    money: 'No money was moved for receipt {receipt}.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'till.heldTooLittle': {
    says: 'At most {left} of the hold on receipt {receipt} is left, but {wanted} is needed',
    money: 'No money was moved. The hold is unchanged.',
    next: 'Increase the hold by {more} first, then complete it; or complete {left} or less.',
    remedy: 'refuse',
  },
  'till.amountFixed': {
    says: 'The amount of receipt {receipt} can no longer be set: it is already fixed, or the sale has ended',
    money: 'The sale is unchanged.',
    next: 'Look at the sale. To take another amount, cancel it and start again.',
    remedy: 'refuse',
  },
  'training.notHere': {
    says: 'This is not possible in training: it would use real devices',
    money: unchanged,
    next: 'Leave training first.',
    remedy: 'refuse',
  },
  'live.already': {
    says: 'There is already a live till in {folder}',
    money: unchanged,
    next: 'Restart the till: the live till opens.',
    remedy: 'refuse',
  },
  'live.notReady': {
    says: 'Not everything on the checklist for going live is done',
    money: unchanged,
    next: 'Do what the checklist says, then go live.',
    remedy: 'refuse',
  },
  'machine.other': {
    says: 'The data folder of this till belongs to another machine',
    money: 'Nothing was charged. The till sends no waiting messages from here.',
    next: 'A manager decides whether the folder was moved here or is a copy: on the page that the bar above the screens opens, or with "till machine". If the till’s machine was set by name, give that name at each start: --machine.',
    remedy: 'halt',
  },
  'machine.behind': {
    says: 'The gateway has sales under this till’s terminal number that are not in its data folder: {count}',
    money: 'Nothing was charged now. The till sends no waiting messages from here.',
    next: 'If the folder is an older copy, a manager imports these sales from the gateway: on the page that the bar above the screens opens, or with "till machine take-over". If another till sells under the same number, import nothing: give this till its own "terminalId" in till.json, and restart it.',
    remedy: 'halt',
  },
  'machine.uncompared': {
    says: 'The gateway has not yet listed the sales that it knows from this till',
    money: 'Nothing is lost: waiting messages are sent after that.',
    next: 'Check the connection, then try again.',
    remedy: 'retry',
  },
  'machine.settled': {
    says: 'The data folder of this till already belongs to this machine',
    money: unchanged,
    next: 'There is nothing to do.',
    remedy: 'refuse',
  },
  'machine.terminals': {
    says: 'These terminal numbers cannot be used for a copy: {why}',
    money: unchanged,
    next: 'Enter the acquirer’s numbers for these terminals, one for each: {counters}.',
    remedy: 'refuse',
  },
  'counter.unknown': {
    says: 'There is no terminal {counter}',
    money: nothingDone,
    next: 'Choose one of these: {counters}.',
    remedy: 'refuse',
  },
  'terminal.cannot': {
    says: 'This till’s terminal contacts its bank itself and does not support {operation}',
    money: nothingDone,
    next: 'Do it on the terminal itself, or at a till with a card reader.',
    remedy: 'refuse',
  },
  'gift.malformed': {
    says: 'This is not a gift card number: {why}',
    money: nothingDone,
    next: 'Scan it again, or type the digits on the card.',
    remedy: 'refuse',
  },
  'sale.likely': {
    says: 'This amount may already have been charged: the result of {amount}, receipt {receipts}, is not known yet',
    money: 'The new sale was not started. The earlier one may have been charged.',
    next: 'Ask whether it is the same customer; if so, wait for that result. For another customer, name the receipts: "again" in a request, --again in a command.',
    remedy: 'inquire',
  },
  'bill.none': {
    says: 'Receipt {receipt} does not belong to a split bill',
    money: nothingDone,
    next: 'Name a receipt of the bill, or omit --bill and sell as usual.',
    remedy: 'refuse',
  },
  'bill.tooMuch': {
    says: '{left} of this bill is left to pay, and the result of another {unknown} is not known yet',
    money: nothingDone,
    next: 'Charge the rest or less. Do not charge the unresolved amount again before its result is known.',
    remedy: 'refuse',
  },
  'copy.failed': {
    says: 'The second copy in {folder} cannot be written: {why}',
    money: 'Nothing is lost: the journal itself is intact, and sales continue.',
    next: 'Check that disk or share. The copy catches up automatically.',
    remedy: 'retry',
  },
  'export.malformed': {
    says: 'This file is not an export of a till’s unsent payments',
    money: 'Nothing was imported.',
    next: 'Name the file that "till journal export --unsent" has written.',
    remedy: 'refuse',
  },
  'export.version': {
    says: 'This export was written by another version of Tillgate, in format {version}',
    money: 'Nothing was imported. The till that exported these payments does not send them until it takes them back.',
    next: 'Install the same version on both tills, or take the export back there: npm run till -- journal takeback',
    remedy: 'refuse',
  },
  'export.unproven': {
    says: 'The export does not match the sealed journal of its till',
    money: 'Nothing was imported.',
    next: 'Check that till’s folder with: npm run till -- journal verify. Then make a new export from it.',
    remedy: 'refuse',
  },
  'export.forged': {
    says: 'The export was changed after its till signed it',
    money: 'Nothing was imported.',
    next: 'Make a new export at that till, or from its folder.',
    remedy: 'refuse',
  },
  'export.closed': {
    says: 'The export does not open with these two passphrases',
    money: 'Nothing was imported.',
    next: 'Have the two people who made the export enter their passphrases again.',
    remedy: 'refuse',
  },
  'export.weak': {
    says: 'These passphrases cannot be used: {why}',
    money: 'Nothing was exported.',
    next: 'Choose others.',
    remedy: 'refuse',
  },
  'export.onePerson': {
    says: 'This needs two people, and {name} signed in twice',
    money: 'Nothing was exported.',
    next: 'Have a second person sign in.',
    remedy: 'refuse',
  },
  'export.nothing': {
    says: 'There is nothing unsent in {folder}',
    money: 'Every payment has been answered or is at a terminal.',
    next: 'There is nothing to do.',
    remedy: 'refuse',
  },
  'export.newer': {
    says: 'A newer version of this program recorded unsent sales that this one cannot read: {count}',
    money: 'Nothing was exported or imported.',
    next: 'Use the newer version of this program.',
    remedy: 'refuse',
  },
  'export.unwritable': {
    says: 'The export {path} cannot be written: {why}',
    money: 'Nothing was handed over. The till still sends it.',
    next: 'Name a new file on a disk with free space.',
    remedy: 'refuse',
  },
  'export.own': {
    says: 'This export was made by this till',
    money: 'Nothing was imported.',
    next: 'To send its payments from here after all: npm run till -- journal takeback',
    remedy: 'refuse',
  },
  'export.known': {
    says: 'All of export {id} has already been imported',
    money: 'Nothing was imported twice.',
    next: 'See its progress with: npm run till -- journal foreign',
    remedy: 'refuse',
  },
  'export.otherGateway': {
    says: 'The export holds payments for another gateway: {gateway}',
    money: 'Nothing was imported.',
    next: 'Import it at a till with that gateway and channel.',
    remedy: 'refuse',
  },
  'export.otherMode': {
    says: 'The export comes from a {theirs} till, and this till is {ours}',
    money: 'Nothing was imported.',
    next: 'Import it at a till of the same mode.',
    remedy: 'refuse',
  },
  'export.noneOut': {
    says: 'This till has handed nothing over, or has taken everything back',
    money: 'The till sends its payments itself.',
    next: 'There is nothing to do.',
    remedy: 'refuse',
  },
  'seal.broken': {
    says: 'Stored record {id} cannot be opened',
    money: 'It was not sent, and stays stored.',
    next: 'Keep the till’s data and call support.',
    remedy: 'halt',
  },

  // Books: where the money is, business days, settlement
  'books.unbalanced': {
    says: 'The books do not balance at {amount}: {why}',
    money: 'The step was not recorded. Everything recorded before is safe.',
    next: 'Do not charge again. Call support, and keep the till’s data.',
    remedy: 'halt',
  },
  'books.nothingToClose': {
    says: 'There is nothing to close: no sale was started since the last close',
    money: unchanged,
    next: 'Look at the closed batches: npm run till -- batch list',
    remedy: 'refuse',
  },
  'books.newer': {
    says: 'A newer version of this program recorded something for batch {batch} that this one cannot read: {what}',
    money: 'Nothing was counted or closed. Sales continue and stay in that batch.',
    next: 'Start the newer version, and close the batch there.',
    remedy: 'refuse',
  },
  'books.notFound': {
    says: 'There is no batch {batch} on this till',
    money: unchanged,
    next: 'Look at the batches: npm run till -- batch list',
    remedy: 'refuse',
  },
  'books.openMoney': {
    says: 'The batch cannot be closed: {count, plural, one {# of its sales has} other {# of its sales have}} not ended, {amounts}',
    money: 'Their result is not known, or they have not been sent yet. Nothing was closed.',
    next: 'Settle each one as listed, or close with --override --as NAME --reason TEXT.',
    remedy: 'inquire',
  },
  'books.closeWaited': {
    says: 'The close waited {minutes, plural, one {# minute} other {# minutes}} for a sale that is still in progress: receipt {receipts}',
    money: 'Nothing was closed. The sale continues.',
    next: 'Close again when the sale has ended, or cancel it at its counter.',
    remedy: 'retry',
  },
  'books.closeCancelled': {
    says: 'The close was cancelled while it waited for a sale in progress: receipt {receipts}',
    money: 'Nothing was closed. The sale continues.',
    next: 'Close again at any time.',
    remedy: 'retry',
  },
  'books.gatewaySilent': {
    says: 'The gateway did not answer for {count, plural, one {# sale} other {# sales}} of the batch, so nothing could be compared',
    money: 'All sales are in the journal. New sales go to the next batch.',
    next: 'Run the close again when the connection is back: it continues where it stopped.',
    remedy: 'retry',
  },
  'books.overrideMalformed': {
    says: 'The override is not complete: {why}',
    money: 'Nothing was closed.',
    next: 'Use --as NAME and --reason TEXT with --override.',
    remedy: 'refuse',
  },
  'books.zBroken': {
    says: 'Z report {number} fails its check: {why}',
    money: 'The sales themselves are in the journal, which has its own hash chain.',
    next: 'Keep the till’s data and call support.',
    remedy: 'halt',
  },
  'schedule.aside': {
    says: 'Schedule {id} was set aside when it fell due: it cannot be worked out ({why})',
    money: 'It has charged nothing, and it will not. All other schedules continue.',
    next: 'Repair it, or bring this machine’s time zones up to date, and then reschedule it.',
    remedy: 'halt',
  },
  'settlement.early': {
    says: 'The day {day} is not over',
    money: 'Nothing was settled. Each payment is in the batch of its day.',
    next: 'Come back after the end of the day, or ask for a provisional file with --out alone.',
    remedy: 'refuse',
  },
  'settlement.unsent': {
    says: 'The settlement file {file} was not uploaded to {host}: {why}',
    money: 'No payment is affected. The file is in its folder.',
    next: 'The upload is retried automatically. If it fails again, check the server, its host key and the login.',
    remedy: 'queue',
  },
  'chargebacks.unreadable': {
    says: 'The list of chargebacks {file} cannot be used: {why}',
    money: 'No chargeback was booked from it.',
    next: 'Correct it and import it again: nothing is booked twice.',
    remedy: 'refuse',
  },
  'settlement.notFound': {
    says: 'There is no reconciliation {id}, or no such difference in it',
    money: unchanged,
    next: 'Look at the list of reconciliations, or import the settlement file again.',
    remedy: 'refuse',
  },
  'settlement.unreadable': {
    says: 'The settlement file {file} cannot be used: {why}',
    money: 'Nothing was changed.',
    next: 'Ask for the file again, as UTF-8 CSV with semicolons and its header line.',
    remedy: 'refuse',
  },

  'secrets.tillRuns': {
    says: 'A till is running with {data} and already has its secrets open',
    money: unchanged,
    next: 'Commands work with it as it is. To use the folder without the till’s window, close the window first.',
    remedy: 'refuse',
  },
  'secrets.wrongCode': {
    says: 'This is not the recovery code of this till',
    money: unchanged,
    next: 'Check the code: it has 26 letters and digits. 0 and O count as the same, and so do 1 and I.',
    remedy: 'refuse',
  },
  'secrets.sealed': {
    says: '{file} is encrypted with a key from this machine’s key store',
    money: unchanged,
    next: 'Open the till’s own window; for the command line: npm run till -- unseal, with the recovery code.',
    remedy: 'refuse',
  },

  // The till's local API
  'session.needed': {
    says: 'Nobody is signed in',
    money: undone,
    next: 'Sign in and try again. A sale in progress continues.',
    remedy: 'refuse',
  },
  'session.code': {
    says: 'This code is not valid, or no longer is',
    money: unchanged,
    next: 'Use the address that the till printed at its last start. Once staff have been added, sign in by name.',
    remedy: 'refuse',
  },
  'session.notAllowed': {
    says: '{who} may not {what}',
    money: undone,
    next: 'Ask a manager to enter their PIN.',
    remedy: 'refuse',
  },
  'session.pinNeeded': {
    says: 'This needs your PIN: {what}',
    money: undone,
    next: 'Enter your PIN.',
    remedy: 'refuse',
  },
  'till.stopping': {
    says: 'The till is being stopped',
    money: undone,
    next: 'Repeat the same request in ten seconds, and until the till answers: nothing is done twice. Start the till if it does not start by itself. It finishes a sale in progress first.',
    remedy: 'retry',
  },
  'till.reopening': {
    says: 'The till is restarting, and requests in progress were ended',
    money: undone,
    next: 'Send it again in a few seconds.',
    remedy: 'retry',
  },
  'till.occupied': {
    says: 'The till cannot restart yet: a request is still in progress',
    money: undone,
    next: 'There is nothing to do: the till retries automatically.',
    remedy: 'retry',
  },
  'upload.underWay': {
    says: 'Another file from you is still being read',
    money: 'Nothing was changed.',
    next: 'Wait until it has finished, or cancel that upload, then send this file again.',
    remedy: 'refuse',
  },
  'upload.stalled': {
    says: 'The upload was stopped: it sent fewer than {bytes, plural, one {# byte} other {# bytes}} in {seconds} s',
    money: 'Nothing was changed.',
    next: 'Look at the connection, then send it again.',
    remedy: 'retry',
  },
  'session.changed': {
    says: 'Someone has signed in again in another window of this browser',
    money: undone,
    next: 'Check who is signed in now, and try again.',
    remedy: 'refuse',
  },
  'posKey.known': {
    says: 'There is already a key for {name}',
    money: unchanged,
    next: 'Remove it first, or choose another name.',
    remedy: 'refuse',
  },
  'posKey.unknown': {
    says: 'There is no key for {name}',
    money: unchanged,
    next: 'Look at the list: npm run till -- pos-key list.',
    remedy: 'refuse',
  },
  'posKey.full': {
    says: 'No key was created: this till has {count, plural, one {# key} other {# keys}} of at most {most}',
    money: unchanged,
    next: 'Remove a key that no program uses any more, then create this one.',
    remedy: 'refuse',
  },
  'posKey.approvalNeeded': {
    says: 'A key that lets a program sell needs a manager’s approval',
    money: unchanged,
    next: 'Use --approved-by NAME; the till then asks for the manager’s PIN.',
    remedy: 'refuse',
  },
  'posKey.malformed': {
    says: 'No key was created: {why}',
    money: unchanged,
    next: correct,
    remedy: 'refuse',
  },
  'screens.missing': {
    says: 'The till’s screens are not built: there is no {file}',
    money: unchanged,
    next: 'Run npm run build:ui, and start again.',
    remedy: 'refuse',
  },
  'screens.port': {
    says: 'The till cannot listen on {where}: {why}',
    money: 'Stored sales are safe.',
    next: 'Choose another one with --port or --socket, or stop the program that uses it.',
    remedy: 'refuse',
  },
  'text.cardData': {
    says: 'The input contains card data, which the till only stores encrypted: {where}',
    money: undone,
    next: 'Remove the card number, the security code and the magnetic stripe data, and try again.',
    remedy: 'refuse',
  },
  'request.malformed': {
    says: 'The input is not valid: {why}',
    money: undone,
    next: correct,
    remedy: 'refuse',
  },
  'request.tooLarge': {
    says: 'The request has more than {bytes, plural, one {# byte} other {# bytes}}',
    money: undone,
    next: 'Send less at once.',
    remedy: 'refuse',
  },
  'request.foreign': {
    says: 'The request was refused: {why}',
    money: undone,
    next: 'Open the till’s own page, and sign in there.',
    remedy: 'refuse',
  },
  'request.unknown': {
    says: 'There is nothing at {path}',
    money: undone,
    next: 'Look it up in /api/openapi.json.',
    remedy: 'refuse',
  },
  'events.elsewhere': {
    says: 'The till does not know the event to continue from: it came from another till, or this copy has lost it',
    money: unchanged,
    next: 'Read the lists of sales again, then listen from {here} on.',
    remedy: 'refuse',
  },
  'events.tooOld': {
    says: 'The event to continue from is too old: the till does not repeat the events after it',
    money: unchanged,
    next: 'Read the lists of sales again, then listen from {here} on.',
    remedy: 'refuse',
  },
  'request.keyReused': {
    says: 'The Idempotency-Key was used for another request',
    money: 'The first request is unchanged; this one did nothing.',
    next: 'Use a new key for a new request.',
    remedy: 'refuse',
  },

  // Paper and printers: a printer problem never affects a sale
  'printer.none': {
    says: 'No printer is set up{which}',
    money: 'The sale is not affected.',
    next: 'Add a printer in the settings, or show the receipt on the screen.',
    remedy: 'refuse',
  },
  'printer.address': {
    says: '"{text}" is not the address of a printer',
    money: unchanged,
    next: 'Use escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 or escpos+usb:/dev/usb/lp0.',
    remedy: 'refuse',
  },
  'printer.known': {
    says: 'There is already a printer named {name}',
    money: unchanged,
    next: 'Choose another name, or remove that one first.',
    remedy: 'refuse',
  },
  'printer.away': {
    says: 'The printer {name} does not answer: {why}',
    money: 'The sale is not affected. A running till keeps the document and prints it when the printer is back.',
    next: 'Switch the printer on and check its cable.',
    remedy: 'queue',
  },
  'printer.paperOut': {
    says: 'The printer {name} is out of paper',
    money: 'The sale is not affected. A running till keeps the document and prints it when there is a new roll.',
    next: 'Put in a new roll and close the cover.',
    remedy: 'queue',
  },
  'printer.coverOpen': {
    says: 'The cover of the printer {name} is open',
    money: 'The sale is not affected. A running till keeps the document and prints it when the cover is closed.',
    next: 'Close the cover.',
    remedy: 'queue',
  },
  'printer.error': {
    says: 'The printer {name} reports an error: {why}',
    money: 'The sale is not affected. A running till keeps the document.',
    next: 'Look at the printer; switch it off and on again.',
    remedy: 'queue',
  },
  'printer.full': {
    says: '{waiting, plural, one {# document is} other {# documents are}} already waiting for the printer {name}',
    money: 'The sale is not affected. This document was not accepted: print it again later.',
    next: 'Check the printer first.',
    remedy: 'refuse',
  },
  'printer.noDrawer': {
    says: 'No printer has a cash drawer',
    money: undone,
    next: 'Choose in the settings which printer the drawer is connected to.',
    remedy: 'refuse',
  },
  'printer.picture': {
    says: 'The picture {name} cannot be printed: {why}',
    money: unchanged,
    next: 'Use a PNG file of at most 1200 × 1200 dots and 512 KB, best in black and white.',
    remedy: 'refuse',
  },
} as const satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof faults;
