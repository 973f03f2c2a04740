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
    says: 'Something unforeseen went wrong: {why}',
    money: 'What was written down is safe.',
    next: 'Start again: the till brings open sales to an end by itself. Tell support what you did.',
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
    next: 'Give it as 12.50.',
    remedy: 'refuse',
  },
  'amount.unrepresentable': {
    says: 'An amount of {minor} minor units of {currency} cannot be written with two decimals',
    money: nothingDone,
    next: 'Round to the next ten minor units.',
    remedy: 'refuse',
  },
  'amount.unpositive': {
    says: 'An amount of {amount} cannot be taken or given back',
    money: nothingDone,
    next: 'Give more than zero.',
    remedy: 'refuse',
  },
  'currency.unknown': {
    says: '"{text}" is not an ISO 4217 currency',
    money: nothingDone,
    next: 'Use a code such as EUR.',
    remedy: 'refuse',
  },
  'currency.differs': {
    says: 'An amount of {left} cannot be reckoned with one of {right}',
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
    next: 'Wait until the virus scanner, the backup or the file sync is done with it, or end it. Then try again.',
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
    next: 'Check the cable and that no other program holds the port.',
    remedy: 'retry',
  },
  'link.lost': {
    says: 'The connection to the terminal at {port} was lost: {why}',
    money: 'Unknown until the till has asked.',
    next: 'Check the cable. The till asks the gateway by itself.',
    remedy: 'inquire',
  },
  'terminal.silent': {
    says: 'The terminal did not answer {command} within {ms} ms',
    money: 'Unknown until the till has asked.',
    next: 'Check the terminal. The till asks the gateway by itself.',
    remedy: 'inquire',
  },
  'terminal.garbled': {
    says: 'The terminal sent {bytes, plural, one {# byte that is} other {# bytes that are}} no answer',
    money: 'Unknown until the till has asked.',
    next: 'Check the cable and the terminal’s model.',
    remedy: 'inquire',
  },
  'terminal.stray': {
    says: 'The terminal sent an answer of {bytes, plural, one {# byte} other {# bytes}} that nobody waits for',
    money: 'It was not acted on.',
    next: 'Nothing. Have the terminal checked if it happens often.',
    remedy: 'retry',
  },
  'terminal.strays': {
    says: 'The terminal sent {count, plural, one {# more message} other {# more messages}} that nobody waits for',
    money: 'None was acted on.',
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
    money: 'Unknown until the till has asked.',
    next: 'Do not charge again. The till asks the terminal by itself.',
    remedy: 'inquire',
  },
  'terminal.busy': {
    says: 'The terminal is busy with {command}',
    money: nothingDone,
    next: 'Wait for it, or cancel it.',
    remedy: 'retry',
  },
  'terminal.turn': {
    says: 'This waited {seconds, plural, one {# second} other {# seconds}} for its turn at {counter}, where {what} goes on',
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
    next: 'See to it before the next rush.',
    remedy: 'retry',
  },
  'terminal.unknown': {
    says: '"{text}" is not the address of a terminal',
    money: nothingDone,
    next: 'Use zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 or the like; or 192.168.1.20, COM3, /dev/ttyACM0 alone, and the till finds the protocol out.',
    remedy: 'refuse',
  },
  'terminal.protocolMissing': {
    says: 'The address {address} names no protocol, and nothing was sent there',
    money: nothingDone,
    next: 'Make sure that a card terminal is there, then have its protocol found out: npm run till -- pair {address}',
    remedy: 'refuse',
  },

  'terminal.unpaired': {
    says: 'No terminal is known to this till',
    money: nothingDone,
    next: 'Find and pair one: npm run till -- pair. A simulated one starts with: npm run simulate -- mpi --tcp 7000',
    remedy: 'refuse',
  },

  'terminal.other': {
    says: 'Another terminal answers at {address}: serial number {serial}, and this till is paired with {paired}',
    money: nothingDone,
    next: 'Plug the paired one in, or pair this one: npm run till -- pair',
    remedy: 'refuse',
  },

  'terminal.twin': {
    says: 'The terminals at {counter} and {other} name themselves alike: {name}',
    money: 'Nothing was done. What one of them charged could be taken back by the other, from another customer.',
    next: 'Sell at one of the two. Have the other terminal tell a serial number of its own, and pair it anew.',
    remedy: 'refuse',
  },

  // Test and live are two worlds
  'terminal.simulated': {
    says: 'The terminal {model} is simulated, and this till is live',
    money: nothingDone,
    next: 'Pair a real terminal: npm run till -- pair. Practise on a simulated one in test mode.',
    remedy: 'halt',
  },
  'terminal.real': {
    says: 'The terminal {model} asks its bank itself, and this till is in test mode: it would charge real cards',
    money: nothingDone,
    next: 'Go live to sell on it. If it is at its maker’s test host, a manager says so: npm run till -- test-host',
    remedy: 'halt',
  },
  'simulation.live': {
    says: 'This till is live: it starts no simulated terminal',
    money: nothingDone,
    next: 'Pair a real terminal, or practise in test mode.',
    remedy: 'refuse',
  },
  'testHost.notHere': {
    says: 'At {counter} no terminal can be said to be at a test host',
    money: unchanged,
    next: 'Only a paired terminal that asks its bank itself can, and only at a test till.',
    remedy: 'refuse',
  },

  // Finding, pairing and diagnosing terminals
  'terminal.notFound': {
    says: 'No terminal answered: {why}',
    money: unchanged,
    next: 'Switch the terminal on, check the cable, then look with: npm run till -- terminals',
    remedy: 'retry',
  },
  'terminal.several': {
    says: 'There {count, plural, one {is # terminal} other {are # terminals}} here: {list}',
    money: unchanged,
    next: 'Name the one you mean by its address.',
    remedy: 'refuse',
  },
  'config.nothingToUndo': {
    says: 'No configuration was imported that could be undone',
    money: unchanged,
    next: 'Import the one that you want.',
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
    money: 'Those sales keep terminal id {terminalId}. The till goes on asking the gateway about them.',
    next: 'Bring them to their end first: npm run till -- queue --send. To change terminals all the same: --swap',
    remedy: 'refuse',
  },
  'pairing.oneTill': {
    says: '{title} terminals belong to one till each, and nobody said that this one does',
    money: 'With a second register on it, a payment could be booked twice, or another customer’s be taken back.',
    next: 'Make sure that no other till or register sells on it, and say yes: --yes',
    remedy: 'refuse',
  },
  'bundle.cardData': {
    says: 'The support bundle was not written: there may be card data or keys in {sections}',
    money: 'No payment is concerned.',
    next: 'Look at what is named, and remove it. To write the bundle without these sections: --leave-out',
    remedy: 'refuse',
  },
  'bundle.unwritable': {
    says: 'The support bundle {file} cannot be written: {why}',
    money: 'No payment is concerned.',
    next: 'Name another file with --bundle.',
    remedy: 'refuse',
  },

  'tape.malformed': {
    says: '{file} is no recording of a terminal: line {line}: {why}',
    money: unchanged,
    next: 'Give the file that --record wrote.',
    remedy: 'refuse',
  },

  // Gateway
  'host.unreachable': {
    says: 'The gateway cannot be reached: {why}',
    money: 'Not charged: the request was never sent.',
    next: 'Check the network. Stored sales go out by themselves.',
    remedy: 'queue',
  },
  'host.redirected': {
    says: 'The gateway sends the till to another address: {why}',
    money: 'Not charged: nothing was done with the request, and it was sent nowhere else.',
    next: 'Ask the gateway’s operator for the right address, and set it. Stored sales go out by themselves.',
    remedy: 'queue',
  },
  'host.silent': {
    says: 'The gateway gave no valid answer: {why}',
    money: 'Unknown until the till has asked.',
    next: 'Do not charge again. The till asks the gateway by itself.',
    remedy: 'inquire',
  },
  'gateway.plain': {
    says: 'The way to the gateway at {url} is not encrypted: it is plain http over a network that anybody may be in',
    money: 'Nothing was charged, and neither a payment nor the token is sent there.',
    next: 'Set the gateway’s https address: "baseUrl" in till.json, or --gateway.',
    remedy: 'halt',
  },
  'gateway.plainUnallowed': {
    says: 'The way to the gateway at {url} is not encrypted: whoever is in that network can read tokens and payments',
    money: 'Nothing was charged, and neither a payment nor the token is sent there.',
    next: 'Set the gateway’s https address: "baseUrl" in till.json, or --gateway. If it has none, a manager allows this address: on the page to which the bar over the screens leads, or with "till plain-http allow {url}".',
    remedy: 'halt',
  },
  'gateway.encrypted': {
    says: 'Nobody has to allow {url}: the way there is encrypted, or does not leave this machine',
    money: nothingDone,
    next: 'There is nothing to do.',
    remedy: 'refuse',
  },
  'gateway.port': {
    says: 'The gateway cannot listen on {port}: {why}',
    money: 'No payment is concerned.',
    next: 'Choose another port, or stop the program that has this one.',
    remedy: 'refuse',
  },
  'widget.missing': {
    says: 'The payment widget is not built: {folder} is missing or not whole',
    money: 'No payment is concerned.',
    next: 'Build it, with the development packages installed: npm run build:widget',
    remedy: 'refuse',
  },
  'gateway.configuration': {
    says: 'The gateway cannot start like this:{problems}',
    money: 'No payment is concerned.',
    next: 'Correct it. What would be used is shown by: npm run gateway -- --check-config',
    remedy: 'refuse',
  },
  'gateway.stopping': {
    says: 'After {seconds, plural, one {# second} other {# seconds}} of stopping something was still under way: {count, plural, one {# request} other {# requests}}',
    money: 'Unknown for those requests. Each payment is brought to its end at the next start.',
    next: 'Start the gateway again.',
    remedy: 'inquire',
  },
  'gateway.busy': {
    says: 'Another gateway already works on {data}',
    money: nothingDone,
    next: 'End that gateway, or name another folder with --data.',
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
    money: 'No payment is concerned. Stored accounts cannot be opened without these keys; they stay stored.',
    next: 'Restore the keys from their backup.',
    remedy: 'halt',
  },
  'log.unwritable': {
    says: 'The log {path} cannot be written: {why}',
    money: 'No payment is concerned: the gateway did not start.',
    next: 'Name another file with --log, or have its permissions changed, then start it again.',
    remedy: 'refuse',
  },
  'vault.unwritable': {
    says: 'The vault’s keys {path} cannot be written: {why}',
    money: 'No payment is concerned. The keys are as they were.',
    next: 'Free disk space or have the folder’s permissions changed, then try again.',
    remedy: 'refuse',
  },
  'vault.busy': {
    says: 'The vault’s keys are being changed already: {path} is there',
    money: 'No payment is concerned. The keys are as they were.',
    next: 'Wait for the other rotation. If none is running, one was cut off: delete this file and try again.',
    remedy: 'refuse',
  },
  'vault.keyGiven': {
    says: 'The vault’s key comes from TILLGATE_VAULT_KEY, so no new one can be made here',
    money: 'No payment is concerned.',
    next: 'Put the new key first in TILLGATE_VAULT_KEY, a comma and the old one behind it, on all machines.',
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
    next: 'Restore the keys that this database was begun with.',
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
    says: 'The wallet’s token is not taken: {why}',
    money: nothingDone,
    next: 'Have the shopper pay again: each token serves once, and for a few minutes.',
    remedy: 'refuse',
  },

  // Till, journal and queue
  'journal.corrupt': {
    says: 'Journal entry {entry} fails its check: {why}',
    money: 'Nothing is changed or repaired. What happened before entry {entry} can be trusted.',
    next: 'Save it with: npm run till -- journal export --data {data}',
    remedy: 'halt',
  },
  'journal.newer': {
    says: 'The journal in {data} is of version {version}; this program knows it up to {newest}',
    money: 'Nothing is changed. What is stored stays stored.',
    next: 'Start the newer program that has worked with this till last.',
    remedy: 'halt',
  },
  'journal.unproven': {
    says: 'Bringing the journal in {data} to version {step} would have changed what the till holds',
    money: 'It was undone. The journal is as it was.',
    next: 'Go on with the older program, keep the folder and call support.',
    remedy: 'halt',
  },
  'journal.unreadable': {
    says: 'The journal in {data} is damaged: {why}',
    money: 'Nothing is changed or repaired. What can still be read is kept.',
    next: 'Save what can be read with: npm run till -- journal export --data {data}',
    remedy: 'halt',
  },
  'journal.gone': {
    says: 'The journal {path} is gone, though this till has been used',
    money: 'Stored sales and unfinished business stand in it.',
    next: 'Restore the folder from its backup. To begin anew, move the whole folder away.',
    remedy: 'halt',
  },
  'secrets.gone': {
    says: 'The till’s secrets {path} are gone, or belong to another till',
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
    says: 'Another till already works on {data}: with its screens, or as a command',
    money: nothingDone,
    next: 'Use its screens, which do all that commands do, or end it first with "till stop". What it does goes on.',
    remedy: 'halt',
  },
  'till.unreachable': {
    says: 'The till that works on {data} cannot be reached: {why}',
    money: 'What it does goes on.',
    next: 'End it where it was started, with Control-C, or by the service that runs it. A command ends by itself.',
    remedy: 'halt',
  },
  'boot.refused': {
    says: 'Windows does not let the till start with this machine: {why}',
    money: unchanged,
    next: 'Run this in a PowerShell that was started as administrator, signed in as who sells here.',
    remedy: 'refuse',
  },
  'boot.share': {
    says: 'The till cannot start with this machine: {path} lies on the share {share}',
    money: unchanged,
    next:
      'Windows opens no share to a task that runs without a password. Put the till’s folder and this program on a ' +
      'disk of this machine, name the folder with --data, and run this again.',
    remedy: 'refuse',
  },
  'till.notRunning': {
    says: 'No till runs on {data}',
    money: unchanged,
    next: 'Start it: npm start',
    remedy: 'refuse',
  },
  'till.unresolved': {
    says: 'Sale {sale} is still unknown',
    money: 'It may have been charged. It is being asked for.',
    next: 'Do not charge again. Wait for the gateway, or call the manager.',
    remedy: 'inquire',
  },
  'till.unrecorded': {
    says: 'Sale {sale} could not be written down to its end: {why}',
    money: 'It may have been charged. The till finds out by itself when it can write again.',
    next: 'Free disk space or check the disk. Before charging again look at: npm run till -- sales',
    remedy: 'halt',
  },
  'till.gone': {
    says: 'The till went away before it told how this ended: {why}',
    money: 'It may have been charged. The till finds out by itself once it is started again.',
    next: 'Start the till. Before charging again look at: npm run till -- sales',
    remedy: 'inquire',
  },
  'till.notFound': {
    says: 'There is no sale with receipt number {receipt}',
    money: undone,
    next: 'Check the number on the receipt.',
    remedy: 'refuse',
  },
  'receipt.elsewhere': {
    says: 'Receipt {receipt} is of another till: terminal {terminalId} took that sale',
    money: 'Nothing was given back.',
    next: 'Look it up at the till whose receipts say terminal {terminalId}. Only that till can give the money back.',
    remedy: 'refuse',
  },
  'receipt.unknown': {
    says: 'This code is of no sale of this till',
    money: 'Nothing was given back.',
    next: 'Read the terminal number on the receipt, and look it up at that till. This till’s number is {terminalId}.',
    remedy: 'refuse',
  },
  'receipt.notYet': {
    says: 'The sale of receipt {receipt} has not ended yet: there is no receipt of it',
    money: 'Its ending will say whether it is charged. Nothing is wrong with it.',
    next: 'Ask for the receipt again when the sale has ended.',
    remedy: 'retry',
  },
  'till.nothingLeft': {
    says: 'Nothing is left to give back on receipt {receipt}: {why}',
    money: 'Nothing was given back.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'sale.newer': {
    says: 'A newer version of this program has written about receipt {receipt} what this one cannot read: {what}',
    money: 'Nothing was moved. Receipt {receipt} stays as it is.',
    next: 'Start the newer version: it goes on with this sale. All other sales go on here.',
    remedy: 'refuse',
  },
  'till.nothingOpen': {
    says: 'Receipt {receipt} does not wait for a person',
    money: 'It stays as it is.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'unpaid.none': {
    says: 'Nothing of receipt {receipt} is unpaid any more, or ever was',
    money: 'It stays as it is.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'unpaid.underWay': {
    says: 'Receipt {receipt} is being charged again, as receipt {again}',
    money: 'That sale has no ending yet: asked for once more, the customer could pay twice.',
    next: 'Wait for the ending of that sale.',
    remedy: 'refuse',
  },
  'unpaid.tooMuch': {
    says: 'Of receipt {receipt} {missing} is unpaid, and {amount} was to be charged again',
    money: 'Nothing was charged.',
    next: 'Charge what is unpaid, or less.',
    remedy: 'refuse',
  },
  'unpaid.cardSpent': {
    says: 'The card’s scheme allows no further try of receipt {receipt}',
    money: 'Nothing was charged.',
    next: 'Ask the customer for other payment, then say that the receipt was settled otherwise.',
    remedy: 'refuse',
  },
  'unpaid.notYet': {
    says: 'The card’s scheme allows the next try of receipt {receipt} from {from}',
    money: 'Nothing was charged.',
    next: 'Try again then, or ask the customer for other payment.',
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
    says: 'Nobody is known at this till yet',
    money: unchanged,
    next: 'Add the first manager: npm run till -- staff add NAME --role manager',
    remedy: 'refuse',
  },
  'staff.needed': {
    says: 'Somebody has to answer for this: {what}',
    money: undone,
    next: 'Give --as NAME; the PIN is asked for.',
    remedy: 'refuse',
  },
  'staff.refused': {
    says: 'The name or the PIN is wrong',
    money: unchanged,
    next: 'Try again. After five wrong tries there is one more each minute.',
    remedy: 'refuse',
  },
  'staff.locked': {
    says: 'Too many wrong PINs were tried. Minutes until the next try: {minutes}',
    money: unchanged,
    next: 'Wait, then try again. In a browser that a manager has signed in at, wrong tries made elsewhere do not count.',
    remedy: 'refuse',
  },
  'staff.notAllowed': {
    says: '{name} is {role} here, and may not {what}',
    money: undone,
    next: 'Ask somebody who may.',
    remedy: 'refuse',
  },
  'staff.pinMissing': {
    says: 'No PIN was given',
    money: unchanged,
    next: 'Type it when asked, pipe it in, or name a file with --pin-file. It never stands on the command line.',
    remedy: 'refuse',
  },
  'staff.pinWeak': {
    says: 'This PIN is refused: {why}',
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
    says: '{name} is known here already',
    money: unchanged,
    next: 'Choose another name, or remove that person first.',
    remedy: 'refuse',
  },
  'staff.unknown': {
    says: 'Nobody called {name} is known here',
    money: unchanged,
    next: 'See who is: npm run till -- staff list',
    remedy: 'refuse',
  },
  'browser.unknown': {
    says: 'This browser is not among those that show the names',
    money: unchanged,
    next: 'Read the list again: somebody may have taken it off.',
    remedy: 'refuse',
  },
  'staff.firstManager': {
    says: 'The first person of a till must be a manager',
    money: unchanged,
    next: 'Add a manager first: npm run till -- staff add NAME --role manager',
    remedy: 'refuse',
  },
  'staff.newer': {
    says: 'A newer version of this program has written about the staff what this one cannot read: {what}',
    money: 'Nothing was changed. Everybody signs in as before.',
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
    says: 'This queue is being sent already, by {holder}',
    money: 'Nothing was sent twice.',
    next: 'Wait for that one to end.',
    remedy: 'retry',
  },
  'queue.nothingWaits': {
    says: 'Nothing of receipt {receipt} waits to be sent',
    money: 'Nothing was sent.',
    next: 'See what waits: npm run till -- queue',
    remedy: 'refuse',
  },
  'queue.tried': {
    says: 'Message {id} may have been sent already: it cannot be taken back out of the queue',
    money: 'Nothing was changed. It is sent, or asked about, in its turn.',
    next: 'Wait for its answer, then give the money back.',
    remedy: 'refuse',
  },
  'till.cannotFollow': {
    says: 'Receipt {receipt} cannot be followed by {operation}: {why}',
    money: 'Nothing was moved. Receipt {receipt} stands as it was.',
    next: 'Look at the sale: npm run till -- sales',
    remedy: 'refuse',
  },
  'till.heldTooLittle': {
    says: 'At most {left} is left of what is held on receipt {receipt}, and {wanted} is wanted',
    money: 'Nothing was moved. What is held stays held.',
    next: 'Hold {more} more first (an increment), then complete it; or complete {left} or less.',
    remedy: 'refuse',
  },
  'till.amountFixed': {
    says: 'The amount of receipt {receipt} can no longer be set: it is fixed already, or the sale is over',
    money: 'The sale goes on as it was.',
    next: 'Look at the sale. To take another amount, cancel it and start again.',
    remedy: 'refuse',
  },
  'training.notHere': {
    says: 'This is not done in training: it would reach real devices',
    money: unchanged,
    next: 'Leave training first.',
    remedy: 'refuse',
  },
  'live.already': {
    says: 'There is a live till already in {folder}',
    money: unchanged,
    next: 'Start the till again: the live till opens.',
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
    money: 'Nothing was charged, and nothing that waits is sent from here.',
    next: 'A manager says whether the folder was moved here or is a copy: on the page to which the bar over the screens leads, or with "till machine". A till that was given its machine by a name needs that name at each start: --machine.',
    remedy: 'halt',
  },
  'machine.behind': {
    says: 'The gateway knows sales of this till’s terminal number that its data folder does not: {count}',
    money: 'Nothing was charged now, and nothing that waits is sent from here.',
    next: 'If the folder is an older copy, a manager takes over what the gateway knows: on the page to which the bar over the screens leads, or with "till machine take-over". If another till sells under the same number, take nothing over: give this one a "terminalId" of its own in till.json, and start it anew.',
    remedy: 'halt',
  },
  'machine.uncompared': {
    says: 'The gateway has not told yet what it knows of this till',
    money: 'Nothing is lost: what waits is sent once it has told.',
    next: 'Check the line, then try again.',
    remedy: 'retry',
  },
  'machine.settled': {
    says: 'The data folder of this till belongs to this machine already',
    money: unchanged,
    next: 'There is nothing to do.',
    remedy: 'refuse',
  },
  'machine.terminals': {
    says: 'These terminal numbers are not good for a copy: {why}',
    money: unchanged,
    next: 'Give the numbers that the acquirer has for these terminals, one for each: {counters}.',
    remedy: 'refuse',
  },
  'counter.unknown': {
    says: 'There is no terminal {counter}',
    money: nothingDone,
    next: 'Choose one of these: {counters}.',
    remedy: 'refuse',
  },
  'terminal.cannot': {
    says: 'This till’s terminal authorises by itself, and does not do {operation}',
    money: nothingDone,
    next: 'Do it on the terminal itself, or at a till with a card reader.',
    remedy: 'refuse',
  },
  'gift.malformed': {
    says: 'This is no gift card number: {why}',
    money: nothingDone,
    next: 'Scan it again, or type the digits on the card.',
    remedy: 'refuse',
  },
  'sale.likely': {
    says: 'This amount may have been charged already: {amount}, receipt {receipts}, has no known ending yet',
    money: 'The new sale was not begun. What went before may have been charged.',
    next: 'Ask whether it is the same customer; if so, wait for that ending. For another customer name the receipts: "again" in a request, --again in a command.',
    remedy: 'inquire',
  },
  'bill.none': {
    says: 'Receipt {receipt} is of no bill that several payments pay',
    money: nothingDone,
    next: 'Name a receipt of the bill; or leave --bill out and sell as usual.',
    remedy: 'refuse',
  },
  'bill.tooMuch': {
    says: 'Of this bill {left} is left to pay, and {unknown} more waits for its result',
    money: nothingDone,
    next: 'Take what is left, or less. What waits must not be charged again before its result is known.',
    remedy: 'refuse',
  },
  'copy.failed': {
    says: 'The second copy in {folder} cannot be kept: {why}',
    money: 'Nothing is lost: the journal itself is whole, and sales go on.',
    next: 'See to that disk or share. The copy catches up by itself.',
    remedy: 'retry',
  },
  'export.malformed': {
    says: 'This file is no export of a till’s unsent payments',
    money: 'Nothing was taken in.',
    next: 'Name the file that "till journal export --unsent" has written.',
    remedy: 'refuse',
  },
  'export.version': {
    says: 'This export was written by another version of Tillgate, in form {version}',
    money: 'Nothing was taken in. The till that made it does not send these payments until they are taken back.',
    next: 'Have the same version on both tills. Or take it back there: npm run till -- journal takeback',
    remedy: 'refuse',
  },
  'export.unproven': {
    says: 'The export does not fit the sealed journal of its till',
    money: 'Nothing was taken in.',
    next: 'Check that till’s folder with: npm run till -- journal verify. Then make a new export from it.',
    remedy: 'refuse',
  },
  'export.forged': {
    says: 'The export was changed after its till signed it',
    money: 'Nothing was taken in.',
    next: 'Make a new export at that till, or from its folder.',
    remedy: 'refuse',
  },
  'export.closed': {
    says: 'The export does not open with these two passphrases',
    money: 'Nothing was taken in.',
    next: 'Have the two people who made the export enter theirs again.',
    remedy: 'refuse',
  },
  'export.weak': {
    says: 'These passphrases cannot be used: {why}',
    money: 'Nothing was exported.',
    next: 'Choose others.',
    remedy: 'refuse',
  },
  'export.onePerson': {
    says: 'It takes two people, and {name} came twice',
    money: 'Nothing was exported.',
    next: 'Have somebody else sign in beside the first.',
    remedy: 'refuse',
  },
  'export.nothing': {
    says: 'Nothing is unsent in {folder}',
    money: 'Everything has been answered, or is at a terminal.',
    next: 'Nothing.',
    remedy: 'refuse',
  },
  'export.newer': {
    says: 'A newer version of this program has written what this one cannot read about the unsent sales: {count}',
    money: 'Nothing left the folder, and nothing was taken over.',
    next: 'Do it with the newer version of this program.',
    remedy: 'refuse',
  },
  'export.unwritable': {
    says: 'The export {path} cannot be written: {why}',
    money: 'Nothing was handed over. The till still sends it.',
    next: 'Name a new file on a disk with room.',
    remedy: 'refuse',
  },
  'export.own': {
    says: 'This is an export of this very till',
    money: 'Nothing was taken in.',
    next: 'To send it from here after all: npm run till -- journal takeback',
    remedy: 'refuse',
  },
  'export.known': {
    says: 'All of export {id} is here already',
    money: 'Nothing was taken in twice.',
    next: 'See how far it is with: npm run till -- journal foreign',
    remedy: 'refuse',
  },
  'export.otherGateway': {
    says: 'The export has payments for another gateway: {gateway}',
    money: 'Nothing was taken in.',
    next: 'Import it at a till with that gateway and channel.',
    remedy: 'refuse',
  },
  'export.otherMode': {
    says: 'The export is of a {theirs} till, and this till is {ours}',
    money: 'Nothing was taken in.',
    next: 'Import it at a till of the same mode.',
    remedy: 'refuse',
  },
  'export.noneOut': {
    says: 'Nothing of this till was handed over, or all of it was taken back',
    money: 'The till sends what it has.',
    next: 'Nothing.',
    remedy: 'refuse',
  },
  'seal.broken': {
    says: 'Stored record {id} cannot be opened',
    money: 'It was not sent. It stays stored.',
    next: 'Keep the till’s data and call support.',
    remedy: 'halt',
  },

  // Books: where the money is, business days, settlement
  'books.unbalanced': {
    says: 'The books do not balance at {amount}: {why}',
    money: 'The step was not written down. What was written before is safe.',
    next: 'Do not charge again. Call support, and keep the till’s data.',
    remedy: 'halt',
  },
  'books.nothingToClose': {
    says: 'There is nothing to close: no sale was begun since the last close',
    money: unchanged,
    next: 'Look at the closed batches: npm run till -- batch list',
    remedy: 'refuse',
  },
  'books.newer': {
    says: 'A newer version of this program has written about batch {batch} what this one cannot read: {what}',
    money: 'Nothing was counted or closed. Sales go on, and stay in that batch.',
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
    says: 'The batch cannot be closed: {count, plural, one {# of its sales is} other {# of its sales are}} not at an end, {amounts}',
    money: 'What they mean for the money is not known or not sent yet. Nothing was closed.',
    next: 'Settle each as named; or close with --override --as NAME --reason TEXT.',
    remedy: 'inquire',
  },
  'books.closeWaited': {
    says: 'The close waited {minutes, plural, one {# minute} other {# minutes}} for a sale in progress, and it goes on: receipt {receipts}',
    money: 'Nothing was closed. The sale goes on.',
    next: 'Close again when the sale has ended, or cancel it at its counter.',
    remedy: 'retry',
  },
  'books.closeCancelled': {
    says: 'The close was cancelled while it waited for a sale in progress: receipt {receipts}',
    money: 'Nothing was closed. The sale goes on.',
    next: 'Close again at any time.',
    remedy: 'retry',
  },
  'books.gatewaySilent': {
    says: 'The gateway did not answer for {count, plural, one {# sale} other {# sales}} of the batch, so that nothing could be compared',
    money: 'All sales stand in the journal. New sales go to the next batch.',
    next: 'Run the close again when the line is back: it goes on where it stopped.',
    remedy: 'retry',
  },
  'books.overrideMalformed': {
    says: 'The override is not complete: {why}',
    money: 'Nothing was closed.',
    next: 'Give --as NAME and --reason TEXT beside --override.',
    remedy: 'refuse',
  },
  'books.zBroken': {
    says: 'Z report {number} fails its check: {why}',
    money: 'The sales themselves stand in the journal, which has its own chain.',
    next: 'Keep the till’s data and call support.',
    remedy: 'halt',
  },
  'schedule.aside': {
    says: 'Schedule {id} was set aside when it fell due: it cannot be worked out ({why})',
    money: 'Nothing was charged by it, and nothing will be. All other schedules go on.',
    next: 'Repair it, or bring this machine’s time zones up to date, and then reschedule it.',
    remedy: 'halt',
  },
  'settlement.early': {
    says: 'The day {day} is not over',
    money: 'Nothing was settled. What was paid is in the batch of its day.',
    next: 'Come back after the end of the day, or ask for a provisional file with --out alone.',
    remedy: 'refuse',
  },
  'settlement.unsent': {
    says: 'The settlement file {file} was not brought to {host}: {why}',
    money: 'No payment is concerned. The file stands in its folder.',
    next: 'It is tried again by itself. If it fails again, look at the server, its host key and the login.',
    remedy: 'queue',
  },
  'chargebacks.unreadable': {
    says: 'The list of chargebacks {file} cannot be used: {why}',
    money: 'No chargeback was booked from it.',
    next: 'Correct it and import it again: what was imported before is not booked twice.',
    remedy: 'refuse',
  },
  'settlement.notFound': {
    says: 'There is no reconciliation {id}, or no such difference in it',
    money: unchanged,
    next: 'Look at the list of reconciliations, or drop the settlement file again.',
    remedy: 'refuse',
  },
  'settlement.unreadable': {
    says: 'The settlement file {file} cannot be used: {why}',
    money: 'Nothing was changed.',
    next: 'Ask for the file again, as UTF-8 CSV with semicolons and its header line.',
    remedy: 'refuse',
  },

  'secrets.tillRuns': {
    says: 'A till runs on {data}, and has its secrets open already',
    money: unchanged,
    next: 'Commands reach it as it is. To use the folder without the till’s window, close the window first.',
    remedy: 'refuse',
  },
  'secrets.wrongCode': {
    says: 'This is not the recovery code of this till',
    money: unchanged,
    next: 'Look for 0 and O, 1 and I: they count as the same. It has 26 letters and digits.',
    remedy: 'refuse',
  },
  'secrets.sealed': {
    says: '{file} lies under a key that this machine’s key store holds',
    money: unchanged,
    next: 'Open the till’s own window; for the command line: npm run till -- unseal, with the recovery code.',
    remedy: 'refuse',
  },

  // The till's local API
  'session.needed': {
    says: 'Nobody is signed in',
    money: undone,
    next: 'Sign in and try again. A sale that is under way goes on by itself.',
    remedy: 'refuse',
  },
  'session.code': {
    says: 'This code does not open the till, or no longer does',
    money: unchanged,
    next: 'Use the address that the till printed at its last start. Once staff have been added, sign in by name.',
    remedy: 'refuse',
  },
  'session.notAllowed': {
    says: '{who} may not {what}',
    money: undone,
    next: 'Ask a manager to enter their PIN for it.',
    remedy: 'refuse',
  },
  'session.pinNeeded': {
    says: 'This is signed with a PIN: {what}',
    money: undone,
    next: 'Enter your PIN for it.',
    remedy: 'refuse',
  },
  'till.stopping': {
    says: 'The till is being stopped',
    money: undone,
    next: 'Try the same again in ten seconds, and until the till answers: nothing is done twice. Start the till if it does not start by itself. A sale in progress is brought to its end first.',
    remedy: 'retry',
  },
  'till.reopening': {
    says: 'The till is being opened anew, and what was under way was ended',
    money: undone,
    next: 'Send it again in a few seconds.',
    remedy: 'retry',
  },
  'till.occupied': {
    says: 'The till cannot be opened anew yet: a request is still under way',
    money: undone,
    next: 'Nothing needs to be done: it is tried again by itself.',
    remedy: 'retry',
  },
  'upload.underWay': {
    says: 'Another file from you is still being read',
    money: 'Nothing was changed.',
    next: 'Wait until it is done, or end that upload, then send this file again.',
    remedy: 'refuse',
  },
  'upload.stalled': {
    says: 'The upload was ended: it brought fewer than {bytes, plural, one {# byte} other {# bytes}} in {seconds} s',
    money: 'Nothing was changed.',
    next: 'Look at the connection, then send it again.',
    remedy: 'retry',
  },
  'session.changed': {
    says: 'Somebody signed in anew in another window of this browser',
    money: undone,
    next: 'Look who is signed in now, and try again.',
    remedy: 'refuse',
  },
  'posKey.known': {
    says: 'There is a key for {name} already',
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
    says: 'No key was made: this till has {count, plural, one {# key} other {# keys}}, and may have {most}',
    money: unchanged,
    next: 'End one that no program uses any more, and make the key then.',
    remedy: 'refuse',
  },
  'posKey.approvalNeeded': {
    says: 'A key that a program sells with needs a manager’s approval',
    money: unchanged,
    next: 'Give --approved-by NAME; the manager’s PIN is asked for.',
    remedy: 'refuse',
  },
  'posKey.malformed': {
    says: 'No key was made: {why}',
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
    next: 'Choose another with --port or --socket, or stop the program that has it.',
    remedy: 'refuse',
  },
  'text.cardData': {
    says: 'What was entered holds card data, which the till keeps nowhere but encrypted: {where}',
    money: undone,
    next: 'Leave out the card’s number, its security code and what its stripe holds, and try again.',
    remedy: 'refuse',
  },
  'request.malformed': {
    says: 'Something is not filled in as it has to be: {why}',
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
    says: 'The till does not know the event that it was to go on from: another till told it, or this copy has lost it',
    money: unchanged,
    next: 'Read the lists of sales anew, then listen from {here} on.',
    remedy: 'refuse',
  },
  'events.tooOld': {
    says: 'The event that the till was to go on from is too far back: what came after it is not told again',
    money: unchanged,
    next: 'Read the lists of sales anew, then listen from {here} on.',
    remedy: 'refuse',
  },
  'request.keyReused': {
    says: 'The Idempotency-Key was used for another request',
    money: 'The first request stands as it is; this one did nothing.',
    next: 'Use a new key for a new request.',
    remedy: 'refuse',
  },

  // Paper and printers: a printer's trouble never touches a sale
  'printer.none': {
    says: 'No printer is set up{which}',
    money: 'The sale is not concerned.',
    next: 'Add a printer in the settings, or show the receipt on the screen.',
    remedy: 'refuse',
  },
  'printer.address': {
    says: '"{text}" is not the address of a printer',
    money: unchanged,
    next: 'Give escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 or escpos+usb:/dev/usb/lp0.',
    remedy: 'refuse',
  },
  'printer.known': {
    says: 'There is a printer named {name} already',
    money: unchanged,
    next: 'Choose another name, or remove that one first.',
    remedy: 'refuse',
  },
  'printer.away': {
    says: 'The printer {name} does not answer: {why}',
    money: 'The sale is not concerned. A running till keeps the paper, and prints it when the printer is back.',
    next: 'Switch the printer on and check its cable.',
    remedy: 'queue',
  },
  'printer.paperOut': {
    says: 'The printer {name} is out of paper',
    money: 'The sale is not concerned. A running till keeps the paper, and prints it when there is a new roll.',
    next: 'Put in a new roll and close the cover.',
    remedy: 'queue',
  },
  'printer.coverOpen': {
    says: 'The cover of the printer {name} is open',
    money: 'The sale is not concerned. A running till keeps the paper, and prints it when the cover is closed.',
    next: 'Close the cover.',
    remedy: 'queue',
  },
  'printer.error': {
    says: 'The printer {name} reports an error: {why}',
    money: 'The sale is not concerned. A running till keeps the paper.',
    next: 'Look at the printer; switch it off and on again.',
    remedy: 'queue',
  },
  'printer.full': {
    says: '{waiting, plural, one {# paper waits} other {# papers wait}} for the printer {name} already',
    money: 'The sale is not concerned. This paper was not taken: print it again later.',
    next: 'See to the printer first.',
    remedy: 'refuse',
  },
  'printer.noDrawer': {
    says: 'No printer has a cash drawer',
    money: undone,
    next: 'Say in the settings which printer the drawer is plugged into.',
    remedy: 'refuse',
  },
  'printer.picture': {
    says: 'The picture {name} cannot be printed: {why}',
    money: unchanged,
    next: 'Give a PNG file of at most 1200 × 1200 dots and 512 KB, best in black and white.',
    remedy: 'refuse',
  },
} as const satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof faults;
