/** What went wrong, in Spanish. `{name}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { FaultsIn } from '../en/faults.ts';
import type { MoneyIn } from '../en/reasons.ts';

const callSupport = 'Conserve los datos de la caja y llame al soporte.';
const notTheSale = 'El pago no se ve afectado.';
const cardAgain = 'Pruebe la tarjeta otra vez.';

/** What it means for the money, by the English. */
export const money = translator<MoneyIn>()('es', {
  'Nothing was charged.': 'No se ha cobrado nada.',
  'Nothing was changed.': 'No se cambió nada.',
  'Unknown until the till has checked.': 'Desconocido hasta que la caja haya preguntado.',
  'Nothing was done.': 'No se hizo nada.',
  'Nothing was refunded.': 'No se devolvió nada.',
  'Charged.': 'Cobrado.',
  'Not charged.': 'No se ha cobrado.',
  'Not charged: the till is reversing the bank’s approval. If this takes longer than 15 minutes, the till asks a person to look into it.':
    'No se ha cobrado: la aprobación del banco se devuelve sola. Si tarda más de 15 minutos, se llama a una persona.',
});

export const faults = translator<FaultsIn>()('es', {
  'amount.unrepresentable': row(
    'Un importe de {minor} unidades menores de {currency} no se puede escribir con dos decimales',
    'Redondee a las diez unidades menores más próximas.',
  ),
  'currency.unknown': row('«{text}» no es una moneda ISO 4217', 'Use un código como EUR.'),
  'currency.differs': row(
    'Un importe en {left} no se puede calcular con uno en {right}',
    'Corríjalo e inténtelo de nuevo.',
  ),
  'file.held': row(
    'Otro programa tiene abierto {file}, y no se pudo escribir',
    'Espere a que el antivirus, la copia de seguridad o la sincronización terminen, o ciérrelos. Después inténtelo de nuevo.',
  ),
  'folder.unusable': row(
    'No se puede usar la carpeta {path}: «{why}»',
    'Haga cambiar los permisos de la carpeta, o use otra.',
  ),
  'config.malformed': row('No se puede usar la configuración {file}: «{why}»', 'Corríjala e inténtelo de nuevo.'),
  'config.notAllowed': row(
    '{who} no puede cambiar {fields}',
    'Pida a un encargado que ponga su PIN para ello, o deje estos ajustes como están.',
  ),
  'config.nothingToUndo': row('No se trajo ninguna configuración que se pueda deshacer', 'Traiga la que quiera.'),
  'command.malformed': row('Estos datos no pueden ser así: «{why}»', 'Corríjalos e inténtelo de nuevo.'),
  'journal.corrupt': row(
    'La entrada {entry} del diario no supera su comprobación: «{why}»',
    'No se cambia ni se repara nada. Lo que ocurrió antes de la entrada {entry} es fiable.',
    'Conserve la carpeta {data} y llame al soporte.',
  ),
  'journal.newer': row(
    'El diario en {data} es de la versión {version}; este programa lo conoce hasta la {newest}',
    'No se cambia nada. Lo guardado sigue guardado.',
    'Inicie el programa más nuevo que trabajó por última vez con esta caja.',
  ),
  'journal.unproven': row(
    'Llevar el diario en {data} a la versión {step} habría cambiado lo que contiene la caja',
    'Se deshizo. El diario está como estaba.',
    'Siga con el programa anterior, conserve la carpeta y llame al soporte.',
  ),
  'journal.unreadable': row(
    'El diario en {data} está dañado: «{why}»',
    'No se cambia ni se repara nada. Lo que aún se puede leer se conserva.',
    'Conserve la carpeta {data} y llame al soporte.',
  ),
  'journal.gone': row(
    'El diario {path} ha desaparecido, aunque esta caja se ha usado',
    'En él están los pagos guardados y los asuntos sin terminar.',
    'Restaure la carpeta desde su copia de seguridad. Para empezar de cero, aparte la carpeta entera.',
  ),
  'journal.unwritable': row(
    'No se puede escribir el diario: «{why}»',
    'Libere espacio en el disco o revíselo, y vuelva a iniciar la caja.',
  ),
  'journal.busy': row(
    'Otra caja ya trabaja en {data}: con sus pantallas o como comando',
    'Use sus pantallas, que hacen todo lo que hacen los comandos, o termínela primero con «till stop». Lo que hace continúa.',
  ),
  'secrets.gone': row(
    'Los secretos de la caja {path} han desaparecido o son de otra caja',
    'Sin ellos no se pueden abrir los pagos guardados. Siguen guardados.',
    'Restaure el archivo desde su copia de seguridad.',
  ),
  'secrets.sealed': row(
    '{file} está bajo una clave que guarda el almacén de claves de este equipo',
    'Abra la ventana propia de la caja.',
  ),
  'till.unrecorded': row(
    'El pago {sale} no se pudo anotar hasta el final: «{why}»',
    'Puede haberse cobrado. La caja lo averigua sola cuando pueda escribir de nuevo.',
    'Libere espacio en el disco o revíselo. Mire este pago antes de cobrar otra vez.',
  ),
  'till.gone': row(
    'La caja desapareció antes de decir cómo terminó esto: «{why}»',
    'Puede haberse cobrado. La caja lo averigua sola cuando se inicia de nuevo.',
    'Inicie la caja. Mire los últimos pagos antes de cobrar otra vez.',
  ),
  'sale.newer': row(
    'Una versión más nueva de este programa escribió sobre el recibo {receipt} algo que esta no puede leer: {what}',
    'No se movió dinero. El recibo {receipt} queda como está.',
    'Inicie la versión más nueva: ella continúa con este pago. Todos los demás siguen aquí.',
  ),
  'till.nothingOpen': row('El recibo {receipt} no espera a nadie', 'Queda como está.', 'Mire el pago.'),
  'till.heldTooLittle': row(
    'En el recibo {receipt} quedan retenidos como máximo {left}, y se piden {wanted}',
    'No se movió dinero. Lo retenido sigue retenido.',
    'Retenga primero {more} más y haga después el cobro final; o cobre {left} o menos.',
  ),
  'till.amountFixed': row(
    'El importe del recibo {receipt} ya no se puede fijar: ya está fijado, o el pago ha terminado',
    'El pago sigue como estaba.',
    'Mire el pago. Para cobrar otro importe, cancélelo y empiece de nuevo.',
  ),
  'till.stopping': row(
    'La caja se está cerrando',
    'Intente lo mismo dentro de diez segundos, y hasta que la caja responda: nada se hace dos veces. Iníciela si no se inicia sola. Un pago en curso se lleva antes a su fin.',
  ),
  'staff.nobody': row('En esta caja aún no se conoce a nadie', 'Añada al primer encargado en la página de entrada.'),
  'staff.needed': row('Alguien tiene que responder de esto: «{what}»', 'Entre con su nombre e inténtelo de nuevo.'),
  'staff.unknown': row('Aquí no se conoce a nadie llamado {name}', 'Mire en «Personal» a quién se conoce.'),
  'browser.unknown': row(
    'Este navegador no está entre los que muestran los nombres',
    'Vuelva a leer la lista: puede que alguien ya lo haya quitado.',
  ),
  'staff.firstManager': row('La primera persona de una caja tiene que ser encargado', 'Añada primero un encargado.'),
  'queue.held': row(
    'Esta cola ya se está enviando, por {holder}',
    'No se envió nada dos veces.',
    'Espere a que termine.',
  ),
  'queue.nothingWaits': row(
    'Del recibo {receipt} no hay nada que espere el envío',
    'No se envió nada.',
    'Mire en «Pendientes» lo que espera.',
  ),
  'queue.tried': row(
    'El mensaje {id} puede haberse enviado ya: no se puede sacar de la cola',
    'No se cambió nada. Se enviará, o se preguntará por él, cuando le toque.',
    'Espere su respuesta y devuelva entonces el dinero.',
  ),
  'gift.malformed': row(
    'Esto no es un número de tarjeta regalo: «{why}»',
    'Escanéela otra vez, o escriba las cifras de la tarjeta.',
  ),
  'sale.likely': row(
    'Quizá ya se cobró este importe: {amount}, recibo {receipts}, aún no tiene un final conocido',
    'Ahora no se ha cobrado nada. Lo anterior quizá sí se cobró.',
    'Pregunte si es el mismo cliente; si lo es, espere ese final. Si es otro, confírmelo.',
  ),
  'bill.none': row(
    'El recibo {receipt} no es de ninguna cuenta que se pague en varios pagos',
    'Indique un recibo de la cuenta, o cobre como siempre.',
  ),
  'bill.tooMuch': row(
    'De esta cuenta quedan {left} por pagar, y {unknown} más esperan su resultado',
    'Cobre lo que queda, o menos. Lo que espera no se debe cobrar otra vez antes de saber su resultado.',
  ),
  'copy.failed': row(
    'No se puede llevar la segunda copia en {folder}: «{why}»',
    'No se pierde nada: el diario mismo está entero, y las ventas siguen.',
    'Ocúpese de ese disco o carpeta compartida. La copia se pone al día sola.',
  ),
  'seal.broken': row('El registro guardado {id} no se puede abrir', 'No se envió. Sigue guardado.', callSupport),
  'books.unbalanced': row(
    'Las cuentas no cuadran en {amount}: «{why}»',
    'El paso no se anotó. Lo que se anotó antes está a salvo.',
    'No cobre otra vez. Llame al soporte y conserve los datos de la caja.',
  ),
  'books.notFound': row('En esta caja no hay ningún lote {batch}', 'Mire los lotes.'),
  'books.openMoney': row(
    'El lote no se puede cerrar: {count, plural, one {# de sus pagos no ha terminado} many {# de sus pagos no han terminado} other {# de sus pagos no han terminado}}: «{amounts}»',
    'Lo que significan para el dinero aún no se sabe o no se ha enviado. No se cerró nada.',
    'Resuelva cada uno como se indica; o cierre de todos modos, con un motivo.',
  ),
  'books.closeWaited': row(
    'El cierre esperó {minutes, plural, one {# minuto} many {# de minutos} other {# minutos}} un pago en curso, que continúa: recibo {receipts}',
    'No se cerró nada. El pago continúa.',
    'Haga el cierre otra vez cuando el pago haya terminado, o cancélelo en su caja.',
  ),
  'books.closeCancelled': row(
    'El cierre se canceló mientras esperaba un pago en curso: recibo {receipts}',
    'No se cerró nada. El pago continúa.',
    'Haga el cierre otra vez cuando quiera.',
  ),
  'books.gatewaySilent': row(
    'La pasarela no respondió por {count, plural, one {# pago} many {# de pagos} other {# pagos}} del lote, así que no se pudo comparar nada',
    'Todos los pagos están en el diario. Los pagos nuevos van al lote siguiente.',
    'Haga el cierre otra vez cuando vuelva la conexión: sigue donde se quedó.',
  ),
  'books.overrideMalformed': row(
    'Para cerrar de todos modos falta algo: «{why}»',
    'No se cerró nada.',
    'Entre con su nombre y dé un motivo.',
  ),
  'books.zBroken': row(
    'El informe Z {number} no supera su comprobación: «{why}»',
    'Los pagos mismos están en el diario, que tiene su propia cadena.',
    callSupport,
  ),
  'settlement.notFound': row(
    'No hay ninguna conciliación {id}, o no tiene esa diferencia',
    'Mire la lista de conciliaciones, o suelte otra vez el archivo de liquidación.',
  ),
  'settlement.unreadable': row(
    'No se puede usar el archivo de liquidación {file}: «{why}»',
    'Pida otra vez el archivo: CSV en UTF-8, con punto y coma y su línea de encabezado.',
  ),
  'till.reopening': row(
    'La caja se está abriendo de nuevo, y lo que estaba en curso se ha terminado',
    'Envíelo otra vez dentro de unos segundos.',
  ),
  'till.occupied': row(
    'La caja todavía no puede abrirse de nuevo: hay una petición en curso',
    'No hay que hacer nada: se intenta otra vez automáticamente.',
  ),
  'upload.underWay': row(
    'Todavía se está leyendo otro archivo suyo',
    'Espere a que termine, o cancele esa carga, y después envíe este archivo.',
  ),
  'upload.stalled': row(
    'La carga se ha terminado: trajo menos de {bytes, plural, one {# byte} many {# de bytes} other {# bytes}} en {seconds} s',
    'Revise la conexión y envíe el archivo otra vez.',
  ),
  'session.changed': row(
    'Alguien ha entrado de nuevo en otra ventana de este navegador',
    'Mire quién está dentro ahora, e inténtelo de nuevo.',
  ),
  'posKey.known': row('Ya hay una clave para {name}', 'Quítela primero, o elija otro nombre.'),
  'posKey.unknown': row('No hay ninguna clave para {name}', 'Mire la lista de claves.'),
  'posKey.full': row(
    'No se creó ninguna clave: esta caja tiene {count, plural, one {# clave} many {# de claves} other {# claves}} y puede tener {most}',
    'Retire una que ningún programa use ya, y cree la clave después.',
  ),
  'posKey.malformed': row('No se creó ninguna clave: «{why}»', 'Corrija los datos e inténtelo de nuevo.'),
  'request.tooLarge': row(
    'La solicitud tiene más de {bytes, plural, one {# byte} many {# de bytes} other {# bytes}}',
    'Envíe menos de una vez.',
  ),
  'request.unknown': row('No hay nada en {path}', 'Consúltelo en /api/openapi.json.'),
  'request.keyReused': row(
    'La Idempotency-Key ya se usó para otra solicitud',
    'La primera solicitud queda como está; esta no hizo nada.',
    'Use una clave nueva para una solicitud nueva.',
  ),
  'hex.malformed': row(
    'Un texto hexadecimal de {length} caracteres está mal formado',
    'Corríjalo e inténtelo de nuevo.',
  ),
  'tlv.malformed': row('Los datos TLV están mal formados en el byte {offset}: «{why}»', cardAgain),
  'emv.malformed': row('Datos de tarjeta mal formados («{what}»): «{why}»', cardAgain),
  'key.malformed': row(
    '«{what}» no sirve como clave ni como número de serie de clave: «{why}»',
    'Haga revisar las claves del terminal.',
  ),
  'key.exhausted': row('La clave con número de serie {ksn} está agotada', 'Haga cargar claves nuevas en el terminal.'),
  'pin.block': row('El bloque de PIN no tiene el formato {format}: «{why}»', 'Pida que se introduzca el PIN otra vez.'),
  'link.unavailable': row(
    'No se puede abrir el puerto {port}: «{why}»',
    'Compruebe el cable y que ningún otro programa ocupe el puerto.',
  ),
  'link.lost': row(
    'Se perdió la conexión con el terminal en {port}: «{why}»',
    'Compruebe el cable. La caja pregunta sola a la pasarela.',
  ),
  'terminal.silent': row(
    'El terminal no respondió a «{command}» en {ms} ms',
    'Compruebe el terminal. La caja pregunta sola a la pasarela.',
  ),
  'terminal.garbled': row(
    'El terminal envió {bytes, plural, one {# byte que no es una respuesta} many {# de bytes que no son una respuesta} other {# bytes que no son una respuesta}}',
    'Compruebe el cable y el modelo del terminal.',
  ),
  'terminal.stray': row(
    'El terminal envió una respuesta de {bytes, plural, one {# byte} many {# de bytes} other {# bytes}} que nadie espera',
    'No se hizo nada con ella.',
    'Nada. Si ocurre a menudo, haga revisar el terminal.',
  ),
  'terminal.strays': row(
    'El terminal envió {count, plural, one {# mensaje} many {# de mensajes} other {# mensajes}} más que nadie espera',
    'No se hizo nada con ninguno.',
    'Haga revisar el terminal.',
  ),
  'terminal.refused': row(
    'El terminal rechazó «{command}» con el estado {status}: «{why}»',
    'Inténtelo de nuevo; si vuelve a ocurrir, reinicie el terminal.',
  ),
  'terminal.unclear': row(
    'El terminal terminó «{command}» con {status}: «{why}»',
    'No cobre otra vez. La caja pregunta sola al terminal.',
  ),
  'terminal.busy': row('El terminal está ocupado: «{command}»', 'Espere a que termine, o cancélelo.'),
  'terminal.turn': row(
    'Esto esperó {seconds, plural, one {# segundo} many {# de segundos} other {# segundos}} su turno en {counter}, que sigue ocupado: «{what}»',
    'Inténtelo de nuevo cuando {counter} esté libre.',
  ),
  'terminal.unready': row('El terminal no puede aceptar tarjetas: «{why}»', 'Haga revisar el terminal.'),
  'terminal.warned': row('El terminal avisa: «{text}»', 'Ocúpese de ello antes de la próxima hora punta.'),
  'terminal.unknown': row(
    '«{text}» no es la dirección de un terminal',
    'Use zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 o algo parecido; o solo 192.168.1.20, COM3 o /dev/ttyACM0, y la caja averigua el protocolo.',
  ),
  'terminal.protocolMissing': row(
    'La dirección {address} no nombra ningún protocolo, y no se envió nada allí',
    'Asegúrese de que allí hay un terminal de tarjetas y haga que se averigüe su protocolo: en el área Técnico, en «Vincular».',
  ),
  'terminal.unpaired': row(
    'Esta caja no conoce ningún terminal',
    'Busque y vincule uno en el área Técnico, en «Vincular».',
  ),
  'terminal.other': row(
    'Otro terminal responde en {address}: número de serie {serial}. Esta caja está vinculada con {paired}',
    'Conecte el vinculado, o vincule este.',
  ),
  'terminal.simulated': row(
    'El terminal {model} es simulado, y esta caja es real',
    'Vincule un terminal de verdad. Practique con uno simulado en modo de prueba.',
  ),
  'terminal.real': row(
    'El terminal {model} consulta él mismo a su banco, y esta caja está en modo de prueba: cobraría tarjetas reales',
    'Pase a modo real. Si está en el servidor de pruebas de su fabricante, un encargado lo dice en Técnico.',
  ),
  'simulation.live': row(
    'Esta caja es real: no inicia ningún terminal simulado',
    'Vincule un terminal de verdad, o practique en modo de prueba.',
  ),
  'testHost.notHere': row(
    'En {counter} ningún terminal puede estar en un servidor de pruebas',
    'Solo un terminal vinculado que consulta él mismo a su banco, y solo en una caja de prueba.',
  ),
  'terminal.several': row(
    'Aquí hay {count, plural, one {# terminal} many {# de terminales} other {# terminales}}: {list}',
    'Indique el que quiere por su dirección.',
  ),
  'terminal.notFound': row(
    'Ningún terminal respondió: «{why}»',
    'Encienda el terminal, compruebe el cable y busque de nuevo.',
  ),
  'terminal.cannot': row(
    'El terminal de esta caja autoriza por sí mismo y no puede hacer «{operation}»',
    'Hágalo en el propio terminal, o en una caja con lector de tarjetas.',
  ),
  'terminal.twin': row(
    'Los terminales de {counter} y {other} se nombran igual: {name}',
    'No se hizo nada. Lo que uno cobró podría devolverlo el otro a otro cliente.',
    'Cobre en uno de los dos. Haga que el otro terminal dé un número de serie propio y vincúlelo de nuevo.',
  ),
  'pairing.oneTill': row(
    'Cada terminal {title} pertenece a una sola caja, y nadie lo ha dicho de este',
    'Con una segunda caja, un pago podría anotarse dos veces o anularse el de otro cliente.',
    'Asegúrese de que ninguna otra caja cobre con él y marque la casilla prevista antes de vincular.',
  ),
  'pairing.salesOpen': row(
    'El terminal {terminalId} aún tiene {count, plural, one {# pago pendiente} many {# de pagos pendientes} other {# pagos pendientes}}: {receipts}',
    'Esos pagos conservan el número de terminal {terminalId}. La caja sigue preguntando por ellos a la pasarela.',
    'Termínelos primero. Para cambiar de terminal de todos modos, marque la casilla prevista antes de vincular.',
  ),
  'tape.malformed': row(
    '{file} no es la grabación de un terminal: línea {line}: «{why}»',
    'Dé el archivo de una grabación.',
  ),
  'host.unreachable': row(
    'No se puede llegar a la pasarela: «{why}»',
    'No se ha cobrado: la solicitud nunca se envió.',
    'Compruebe la red. Los pagos guardados se envían solos.',
  ),
  'host.redirected': row(
    'La pasarela envía la caja a otra dirección: «{why}»',
    'No se ha cobrado: no se hizo nada con la solicitud, y no se envió a ningún otro sitio.',
    'Pida al operador de la pasarela la dirección correcta e indíquela. Los pagos guardados se envían solos.',
  ),
  'gateway.plain': row(
    'La conexión con la pasarela en {url} no está cifrada: es http simple por una red en la que puede estar cualquiera',
    'No se ha cobrado nada, y allí no se envía ni un pago ni el token.',
    'Un técnico indica en la configuración la dirección https de la pasarela.',
  ),
  'gateway.plainUnallowed': row(
    'La conexión con la pasarela en {url} no está cifrada: quien esté en esa red puede leer tokens y pagos',
    'No se ha cobrado nada, y allí no se envía ni un pago ni el token.',
    'Un técnico indica en la configuración la dirección https de la pasarela. Si no tiene ninguna, un encargado puede permitir esta dirección: la barra sobre las pantallas lleva a la página.',
  ),
  'gateway.encrypted': row(
    'Nadie tiene que permitir {url}: la conexión está cifrada o no sale de este equipo',
    'No hay nada que hacer.',
  ),
  'host.silent': row(
    'La pasarela no dio una respuesta válida: «{why}»',
    'No cobre otra vez. La caja pregunta sola a la pasarela.',
  ),
  'counter.unknown': row('No hay ningún terminal {counter}', 'Elija uno de estos: {counters}.'),
  'live.already': row('Ya hay una caja en modo real en {folder}', 'Inicie la caja de nuevo: se abrirá la caja real.'),
  'live.notReady': row(
    'Aún no está hecho todo lo de la lista para pasar a modo real',
    'Haga lo que dice la lista y pase después a modo real.',
  ),
  'machine.other': row(
    'La carpeta de datos de esta caja pertenece a otro equipo',
    'No se ha cobrado nada, y desde aquí no se envía nada de lo que espera.',
    'Un encargado indica si la carpeta se trasladó aquí o es una copia: la barra sobre las pantallas lleva a la página. Si al equipo se le dio un nombre, cada inicio lo necesita.',
  ),
  'machine.behind': row(
    'La pasarela conoce operaciones con el número de terminal de esta caja que faltan en su carpeta de datos: {count}',
    'Ahora no se ha cobrado nada, y desde aquí no se envía nada de lo que espera.',
    'Si la carpeta es una copia antigua, un encargado incorpora lo que conoce la pasarela: la barra sobre las pantallas lleva a la página. Si otra caja vende con el mismo número, no incorpore nada: un técnico da a esta un número de terminal propio.',
  ),
  'machine.uncompared': row(
    'La pasarela aún no ha dicho lo que conoce de esta caja',
    'No se pierde nada: lo que espera se envía en cuanto responda.',
    'Compruebe la conexión e inténtelo de nuevo.',
  ),
  'machine.settled': row('La carpeta de datos de esta caja ya pertenece a este equipo', 'No hay nada que hacer.'),
  'machine.terminals': row(
    'Estos números de terminal no sirven para una copia: «{why}»',
    'Indique los números que el adquirente dio a estos terminales, uno para cada uno: {counters}.',
  ),
  'training.notHere': row('Esto no se hace en la práctica: llegaría a aparatos reales', 'Termine primero la práctica.'),
  'printer.none': row(
    'No hay ninguna impresora así instalada',
    notTheSale,
    'Añada una impresora en los ajustes, o muestre el recibo en la pantalla.',
  ),
  'printer.address': row(
    '«{text}» no es la dirección de una impresora',
    'Dé escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 o escpos+usb:/dev/usb/lp0.',
  ),
  'printer.known': row('Ya hay una impresora llamada {name}', 'Elija otro nombre, o quite primero esa.'),
  'printer.away': row(
    'La impresora {name} no responde: «{why}»',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión y la hace cuando vuelva la impresora.`,
    'Encienda la impresora y compruebe su cable.',
  ),
  'printer.paperOut': row(
    'La impresora {name} no tiene papel',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión y la hace cuando haya un rollo nuevo.`,
    'Ponga un rollo nuevo y cierre la tapa.',
  ),
  'printer.coverOpen': row(
    'La tapa de la impresora {name} está abierta',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión y la hace cuando la tapa esté cerrada.`,
    'Cierre la tapa.',
  ),
  'printer.error': row(
    'La impresora {name} comunica un error: «{why}»',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión.`,
    'Mire la impresora; apáguela y vuelva a encenderla.',
  ),
  'printer.full': row(
    'La impresora {name} ya tiene {waiting, plural, one {# impresión} many {# de impresiones} other {# impresiones}} en espera',
    `${notTheSale} Esta no se aceptó: imprímala otra vez más tarde.`,
    'Ocúpese primero de la impresora.',
  ),
  'printer.noDrawer': row(
    'Ninguna impresora tiene un cajón de efectivo',
    'Indique en los ajustes a qué impresora está conectado el cajón.',
  ),
  'printer.picture': row(
    'No se puede imprimir la imagen {name}: «{why}»',
    'Dé un archivo PNG de 1200 × 1200 puntos y 512 KB como máximo, mejor en blanco y negro.',
  ),
  'till.away': row(
    'El programa de la caja no responde',
    'Un pago en curso sigue solo y no se pierde.',
    'Espere un momento: esta página se conecta de nuevo sola.',
  ),
  'program.failed': row(
    'Algo imprevisto ha salido mal: «{why}»',
    'Lo que se anotó está a salvo.',
    'Empiece de nuevo: la caja termina sola los pagos abiertos. Diga al soporte qué estaba haciendo.',
  ),
  'session.needed': row('Nadie ha entrado', 'Entre e inténtelo de nuevo. Un pago en curso sigue solo.'),
  'session.code': row(
    'Este código no abre la caja, o ya no la abre',
    'Use la dirección que la caja mostró en su último inicio. Cuando haya personas añadidas, entre con su nombre.',
  ),
  'session.pinNeeded': row('Esto se firma con un PIN: {what}', 'Ponga su PIN para ello.'),
  'session.notAllowed': row('{who} no puede hacer esto: {what}', 'Pida a un encargado que ponga su PIN.'),
  'text.cardData': row(
    'Lo escrito contiene datos de tarjeta, que la caja no guarda en ningún sitio sin cifrar: {where}',
    'Quite el número de la tarjeta, su código de seguridad y los datos de su banda, e inténtelo de nuevo.',
  ),
  'request.malformed': row('Los datos no son como deben ser: «{why}»', 'Corríjalos e inténtelo de nuevo.'),
  'request.foreign': row('La solicitud fue rechazada: «{why}»', 'Abra la página propia de la caja y entre allí.'),
  'staff.refused': row(
    'El nombre o el PIN no es correcto',
    'Inténtelo de nuevo. Tras cinco intentos incorrectos hay uno más por minuto.',
  ),
  'staff.locked': row(
    'Se han probado demasiados PIN incorrectos. Minutos hasta el próximo intento: {minutes}',
    'Espere e inténtelo de nuevo. En un navegador en el que ha entrado un encargado no cuentan los intentos incorrectos hechos en otro sitio.',
  ),
  'staff.notAllowed': row('{name} no puede hacer eso aquí', 'Pídalo a alguien que pueda.'),
  'staff.pinWeak': row('Este PIN no se acepta: «{why}»', 'Elija otro de 4 a 12 cifras.'),
  'staff.name': row('Un nombre tiene de 1 a 40 letras, espacios, puntos o guiones', 'Corríjalo e inténtelo de nuevo.'),
  'staff.known': row('{name} ya es conocido aquí', 'Elija otro nombre, o quite primero a esa persona.'),
  'staff.newer': row(
    'Una versión más nueva de este programa escribió sobre el personal algo que esta no puede leer: {what}',
    'No se cambió nada. Todos entran como antes.',
    'Inicie la versión más nueva y cambie el personal allí.',
  ),
  'staff.lastManager': row('{name} es el único encargado de esta caja', 'Añada primero otro encargado.'),
  'till.notFound': row('No hay ningún pago con el número de recibo {receipt}', 'Compruebe el número en el recibo.'),
  'events.elsewhere': row(
    'La caja no conoce el evento a partir del cual debe seguir: lo comunicó otra caja, o esta copia lo ha perdido',
    'Lea de nuevo las listas de cobros y escuche después a partir de {here}.',
  ),
  'events.tooOld': row(
    'El evento a partir del cual la caja debe seguir es demasiado antiguo: lo que vino después no se comunica otra vez',
    'Lea de nuevo las listas de cobros y escuche después a partir de {here}.',
  ),
  'receipt.elsewhere': row(
    'El recibo {receipt} es de otra caja: el terminal {terminalId} hizo ese cobro',
    'Búsquelo en la caja cuyos recibos llevan el terminal {terminalId}. Solo ella puede devolver el dinero.',
  ),
  'receipt.unknown': row(
    'Este código no es de ningún pago de esta caja',
    'Lea el número de terminal en el recibo y búsquelo en esa caja. Esta caja tiene el número {terminalId}.',
  ),
  'receipt.notYet': row(
    'El pago del recibo {receipt} no ha terminado todavía: aún no tiene recibo',
    'Su final dirá si se cobra. No le pasa nada malo.',
    'Pida el recibo otra vez cuando el pago haya terminado.',
  ),
  'till.nothingLeft': row('En el recibo {receipt} no queda nada que devolver: «{why}»', 'Mire el pago.'),
  'unpaid.none': row('Del recibo {receipt} no hay nada sin pagar', 'Queda como está.', 'Mire la venta.'),
  'unpaid.underWay': row(
    'El recibo {receipt} ya se cobra de nuevo, con el recibo {again}',
    'Esa venta aún no tiene final: pedida otra vez, el cliente podría pagar dos veces.',
    'Espere su final.',
  ),
  'unpaid.tooMuch': row(
    'Del recibo {receipt} hay {missing} sin pagar, y se iban a cobrar {amount}',
    'Cobre lo que está sin pagar, o menos.',
  ),
  'unpaid.cardSpent': row(
    'La marca de la tarjeta no permite más intentos con el recibo {receipt}',
    'Pida al cliente que pague de otra forma y diga después que el recibo se liquidó de otra forma.',
  ),
  'unpaid.notYet': row(
    'La marca de la tarjeta permite el próximo intento con el recibo {receipt} desde {from}',
    'Inténtelo entonces, o pida al cliente que pague de otra forma.',
  ),
  'till.refundTooHigh': row('En el recibo {receipt} se pueden devolver como máximo {left}', 'Devuelva eso o menos.'),
  'till.cannotFollow': row(
    'Esto no puede seguir al recibo {receipt} ({operation}): «{why}»',
    'No se movió dinero. El recibo {receipt} queda como estaba.',
    'Mire el pago.',
  ),
  'till.unresolved': row(
    'El pago {sale} sigue siendo desconocido',
    'Puede haberse cobrado. Se está preguntando.',
    'No cobre otra vez. Espere a la pasarela, o llame al encargado.',
  ),
  'amount.malformed': row('«{text}» no es un importe en {currency}: «{why}»', 'Escríbalo como 12.50.'),
  'amount.unpositive': row('Un importe de {amount} no se puede cobrar ni devolver', 'Ponga más que cero.'),
  'books.newer': row(
    'Una versión más nueva de este programa escribió sobre el lote {batch} algo que esta no puede leer: {what}',
    'No se contó ni se cerró nada. Los pagos siguen y quedan en ese lote.',
    'Inicie la versión más nueva y cierre el lote allí.',
  ),
  'books.nothingToClose': row(
    'No hay nada que cerrar: no se empezó ningún pago desde el último cierre',
    'Mire los lotes cerrados.',
  ),
});
