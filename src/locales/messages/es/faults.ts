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
  'Unknown until the till has checked.': 'Desconocido hasta que la caja lo haya comprobado.',
  'Nothing was done.': 'No se hizo nada.',
  'Nothing was refunded.': 'No se devolvió nada.',
  'Charged.': 'Cobrado.',
  'Not charged.': 'No se ha cobrado.',
  'Not charged: the till is reversing the bank’s approval. If this takes longer than 15 minutes, the till asks a person to look into it.':
    'No se ha cobrado: la caja está anulando la aprobación del banco. Si tarda más de 15 minutos, pide que una persona lo revise.',
});

export const faults = translator<FaultsIn>()('es', {
  'amount.unrepresentable': row(
    'Un importe de {minor} unidades menores de {currency} no se puede escribir con dos decimales',
    'Redondee a las diez unidades menores más próximas.',
  ),
  'currency.unknown': row('«{text}» no es una moneda ISO 4217', 'Use un código como EUR.'),
  'currency.differs': row(
    'Un importe en {left} no se puede combinar con uno en {right}',
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
    'Pida a un encargado que introduzca su PIN para ello, o deje estos ajustes como están.',
  ),
  'config.nothingToUndo': row(
    'No hay ninguna configuración importada que se pueda deshacer',
    'Importe la configuración que quiera.',
  ),
  'command.malformed': row('Estos datos no son válidos: «{why}»', 'Corríjalos e inténtelo de nuevo.'),
  'journal.corrupt': row(
    'La entrada {entry} del diario no supera su comprobación: «{why}»',
    'No se cambia ni se repara nada. Las entradas anteriores a {entry} son fiables.',
    'Conserve la carpeta {data} y llame al soporte.',
  ),
  'journal.newer': row(
    'El diario en {data} es de la versión {version}; este programa lee versiones hasta la {newest}',
    'No se cambia nada. Los pagos guardados siguen guardados.',
    'Inicie el programa más nuevo que esta caja usó por última vez.',
  ),
  'journal.unproven': row(
    'Llevar el diario en {data} a la versión {step} habría cambiado lo que contiene la caja',
    'La actualización se deshizo. El diario no ha cambiado.',
    'Siga con el programa anterior, conserve la carpeta y llame al soporte.',
  ),
  'journal.unreadable': row(
    'El diario en {data} está dañado: «{why}»',
    'No se cambia ni se repara nada. Lo que aún se puede leer se conserva.',
    'Conserve la carpeta {data} y llame al soporte.',
  ),
  'journal.gone': row(
    'Falta el diario {path}, aunque esta caja se ha usado',
    'Contiene pagos guardados y sin terminar.',
    'Restaure la carpeta desde su copia de seguridad. Para empezar de cero, aparte la carpeta entera.',
  ),
  'journal.unwritable': row(
    'No se puede escribir el diario: «{why}»',
    'Libere espacio en el disco o revíselo, y vuelva a iniciar la caja.',
  ),
  'journal.busy': row(
    'Otra caja ya usa {data}: con sus pantallas o con un comando',
    'Use sus pantallas, que hacen todo lo que hacen los comandos, o deténgala primero con «till stop». Los pagos en curso continúan.',
  ),
  'secrets.gone': row(
    'Los secretos de la caja {path} faltan o son de otra caja',
    'Sin ellos no se pueden abrir los pagos guardados. Siguen guardados.',
    'Restaure el archivo desde su copia de seguridad.',
  ),
  'secrets.sealed': row(
    '{file} está cifrado con una clave del almacén de claves de este equipo',
    'Abra la ventana propia de la caja.',
  ),
  'till.unrecorded': row(
    'No se pudo registrar el final del pago {sale}: «{why}»',
    'Puede que se haya cobrado al cliente. La caja lo comprueba automáticamente cuando pueda escribir de nuevo.',
    'Libere espacio en el disco o revíselo. Mire este pago antes de cobrar otra vez.',
  ),
  'till.gone': row(
    'La caja se detuvo antes de indicar cómo terminó esto: «{why}»',
    'Puede que se haya cobrado al cliente. La caja lo comprueba automáticamente cuando se inicie de nuevo.',
    'Inicie la caja. Mire los últimos pagos antes de cobrar otra vez.',
  ),
  'sale.newer': row(
    'Una versión más nueva de este programa registró sobre el recibo {receipt} algo que esta no puede leer: {what}',
    'No se movió dinero. El recibo {receipt} no cambia.',
    'Inicie la versión más nueva: ella continúa con este pago. Todos los demás siguen aquí.',
  ),
  'till.nothingOpen': row('El recibo {receipt} no necesita la decisión de nadie', 'No cambia.', 'Mire el pago.'),
  'till.heldTooLittle': row(
    'En el recibo {receipt} quedan retenidos como máximo {left}, pero se necesitan {wanted}',
    'No se movió dinero. La retención no cambia.',
    'Amplíe primero la retención en {more} y haga después el cobro final; o cobre {left} o menos.',
  ),
  'till.amountFixed': row(
    'El importe del recibo {receipt} ya no se puede fijar: ya está fijado, o el pago ha terminado',
    'El pago no cambia.',
    'Mire el pago. Para cobrar otro importe, cancélelo y empiece de nuevo.',
  ),
  'till.stopping': row(
    'La caja se está deteniendo',
    'Repita la misma solicitud dentro de diez segundos, y hasta que la caja responda: nada se hace dos veces. Inicie la caja si no se inicia sola. Un pago en curso se termina antes.',
  ),
  'staff.nobody': row(
    'En esta caja aún no se ha añadido a nadie',
    'Añada al primer encargado en la página de entrada.',
  ),
  'staff.needed': row(
    'Esto necesita el nombre de una persona responsable: «{what}»',
    'Entre con su nombre e inténtelo de nuevo.',
  ),
  'staff.unknown': row('Aquí no hay nadie llamado {name}', 'Mire la lista en «Personal».'),
  'browser.unknown': row(
    'Este navegador no está en la lista de los que muestran los nombres',
    'Vuelva a cargar la lista: puede que alguien ya lo haya quitado.',
  ),
  'staff.firstManager': row('La primera persona de una caja tiene que ser encargado', 'Añada primero a un encargado.'),
  'queue.held': row(
    'Esta cola ya se está enviando, por {holder}',
    'No se envió nada dos veces.',
    'Espere a que termine.',
  ),
  'queue.nothingWaits': row(
    'Del recibo {receipt} no hay nada que espere el envío',
    'No se envió nada.',
    'Mire la cola en «Pendientes».',
  ),
  'queue.tried': row(
    'El mensaje {id} puede haberse enviado ya: no se puede sacar de la cola',
    'No se cambió nada. La caja lo enviará, o preguntará por él, cuando le toque.',
    'Espere su respuesta y haga entonces la devolución.',
  ),
  'gift.malformed': row(
    'Esto no es un número de tarjeta regalo: «{why}»',
    'Escanéela otra vez, o escriba las cifras de la tarjeta.',
  ),
  'sale.likely': row(
    'Quizá ya se cobró este importe: el resultado de {amount}, recibo {receipts}, aún no se sabe',
    'El pago nuevo no se inició. El anterior quizá sí se cobró.',
    'Pregunte si es el mismo cliente; si lo es, espere ese resultado. Si es otro, confírmelo.',
  ),
  'bill.none': row(
    'El recibo {receipt} no es de ninguna cuenta dividida',
    'Indique un recibo de la cuenta, o cobre como siempre.',
  ),
  'bill.tooMuch': row(
    'De esta cuenta quedan {left} por pagar, y el resultado de otros {unknown} aún no se sabe',
    'Cobre el resto, o menos. No cobre otra vez el importe sin aclarar antes de saber su resultado.',
  ),
  'copy.failed': row(
    'No se puede escribir la segunda copia en {folder}: «{why}»',
    'No se pierde nada: el diario mismo está intacto, y los cobros continúan.',
    'Revise ese disco o carpeta compartida. La copia se pone al día automáticamente.',
  ),
  'seal.broken': row('El registro guardado {id} no se puede abrir', 'No se envió. Sigue guardado.', callSupport),
  'books.unbalanced': row(
    'Las cuentas no cuadran en {amount}: «{why}»',
    'El paso no se registró. Todo lo registrado antes está a salvo.',
    'No cobre otra vez. Llame al soporte y conserve los datos de la caja.',
  ),
  'books.notFound': row('En esta caja no hay ningún lote {batch}', 'Mire los lotes.'),
  'books.openMoney': row(
    'El lote no se puede cerrar: {count, plural, one {# de sus pagos no ha terminado} many {# de sus pagos no han terminado} other {# de sus pagos no han terminado}}: «{amounts}»',
    'No se sabe su resultado, o aún no se han enviado. No se cerró nada.',
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
    'Para cerrar con pagos pendientes falta algo: «{why}»',
    'No se cerró nada.',
    'Entre con su nombre y dé un motivo.',
  ),
  'books.zBroken': row(
    'El informe Z {number} no supera su comprobación: «{why}»',
    'Los pagos mismos están en el diario, que tiene su propia cadena de hash.',
    callSupport,
  ),
  'settlement.notFound': row(
    'No hay ninguna conciliación {id}, o no tiene esa diferencia',
    'Mire la lista de conciliaciones, o importe otra vez el archivo de liquidación.',
  ),
  'settlement.unreadable': row(
    'No se puede usar el archivo de liquidación {file}: «{why}»',
    'Pida otra vez el archivo: CSV en UTF-8, con punto y coma y su línea de encabezado.',
  ),
  'till.reopening': row(
    'La caja se está reiniciando, y las solicitudes en curso se han terminado',
    'Envíelo otra vez dentro de unos segundos.',
  ),
  'till.occupied': row(
    'La caja todavía no puede reiniciarse: hay una solicitud en curso',
    'No hay que hacer nada: la caja lo reintenta automáticamente.',
  ),
  'upload.underWay': row(
    'Todavía se está leyendo otro archivo suyo',
    'Espere a que termine, o cancele esa carga, y después envíe este archivo.',
  ),
  'upload.stalled': row(
    'La carga se detuvo: llegaron menos de {bytes, plural, one {# byte} many {# de bytes} other {# bytes}} en {seconds} s',
    'Revise la conexión y envíe el archivo otra vez.',
  ),
  'session.changed': row(
    'Alguien ha entrado de nuevo en otra ventana de este navegador',
    'Mire quién está dentro ahora, e inténtelo de nuevo.',
  ),
  'posKey.known': row('Ya hay una clave para {name}', 'Quítela primero, o elija otro nombre.'),
  'posKey.unknown': row('No hay ninguna clave para {name}', 'Mire la lista de claves.'),
  'posKey.full': row(
    'No se creó ninguna clave: esta caja tiene {count, plural, one {# clave} many {# de claves} other {# claves}} de {most} como máximo',
    'Quite una clave que ya no use ningún programa, y cree después esta.',
  ),
  'posKey.malformed': row('No se creó ninguna clave: «{why}»', 'Corrija los datos e inténtelo de nuevo.'),
  'request.tooLarge': row(
    'La solicitud tiene más de {bytes, plural, one {# byte} many {# de bytes} other {# bytes}}',
    'Envíe menos de una vez.',
  ),
  'request.unknown': row('No hay nada en {path}', 'Consúltelo en /api/openapi.json.'),
  'request.keyReused': row(
    'La Idempotency-Key ya se usó para otra solicitud',
    'La primera solicitud no cambia; esta no hizo nada.',
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
    'Compruebe el cable. La caja pregunta a la pasarela automáticamente.',
  ),
  'terminal.silent': row(
    'El terminal no respondió a «{command}» en {ms} ms',
    'Compruebe el terminal. La caja pregunta a la pasarela automáticamente.',
  ),
  'terminal.garbled': row(
    'El terminal envió {bytes, plural, one {# byte que no es una respuesta válida} many {# de bytes que no son una respuesta válida} other {# bytes que no son una respuesta válida}}',
    'Compruebe el cable y el modelo del terminal.',
  ),
  'terminal.stray': row(
    'El terminal envió una respuesta inesperada de {bytes, plural, one {# byte} many {# de bytes} other {# bytes}}',
    'La caja la ignoró.',
    'No hay nada que hacer. Si ocurre a menudo, haga revisar el terminal.',
  ),
  'terminal.strays': row(
    'El terminal envió {count, plural, one {# mensaje inesperado} many {# de mensajes inesperados} other {# mensajes inesperados}} más',
    'La caja los ignoró.',
    'Haga revisar el terminal.',
  ),
  'terminal.refused': row(
    'El terminal rechazó «{command}» con el estado {status}: «{why}»',
    'Inténtelo de nuevo; si vuelve a ocurrir, reinicie el terminal.',
  ),
  'terminal.unclear': row(
    'El terminal terminó «{command}» con {status}: «{why}»',
    'No cobre otra vez. La caja pregunta al terminal automáticamente.',
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
    'Use zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 o algo parecido; o solo 192.168.1.20, COM3 o /dev/ttyACM0, y la caja detecta el protocolo.',
  ),
  'terminal.protocolMissing': row(
    'La dirección {address} no indica ningún protocolo, y no se envió nada allí',
    'Asegúrese de que allí hay un terminal de tarjetas y haga que se detecte su protocolo: en el área Técnico, en «Vincular».',
  ),
  'terminal.unpaired': row(
    'No hay ningún terminal vinculado a esta caja',
    'Busque y vincule uno en el área Técnico, en «Vincular».',
  ),
  'terminal.other': row(
    'Otro terminal responde en {address}: número de serie {serial}. Esta caja está vinculada con {paired}',
    'Conecte el vinculado, o vincule este.',
  ),
  'terminal.simulated': row(
    'El terminal {model} es simulado, y esta caja está en modo real',
    'Vincule un terminal real. Practique con uno simulado en modo de prueba.',
  ),
  'terminal.real': row(
    'El terminal {model} consulta él mismo a su banco, y esta caja está en modo de prueba: cobraría tarjetas reales',
    'Para cobrar con él, pase a modo real. Si usa el servidor de pruebas de su fabricante, un encargado lo confirma en Técnico.',
  ),
  'simulation.live': row(
    'Esta caja está en modo real: no inicia ningún terminal simulado',
    'Vincule un terminal real, o practique en modo de prueba.',
  ),
  'testHost.notHere': row(
    'Ningún terminal en {counter} se puede marcar como conectado a un servidor de pruebas',
    'Solo se puede con un terminal vinculado que consulta él mismo a su banco, y solo en una caja de prueba.',
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
    'El terminal de esta caja consulta él mismo a su banco y no admite «{operation}»',
    'Hágalo en el propio terminal, o en una caja con lector de tarjetas.',
  ),
  'terminal.twin': row(
    'Los terminales de {counter} y {other} comunican el mismo nombre: {name}',
    'No se hizo nada. Uno podría anular un pago del otro, el de otro cliente.',
    'Cobre en uno de los dos. Haga que el otro terminal tenga un número de serie propio y vincúlelo de nuevo.',
  ),
  'pairing.oneTill': row(
    'Un terminal {title} debe pertenecer a una sola caja, y nadie lo ha confirmado para este',
    'Con una segunda caja, un pago podría anotarse dos veces o anularse el del cliente equivocado.',
    'Asegúrese de que ninguna otra caja lo usa y marque la casilla prevista antes de vincular.',
  ),
  'pairing.salesOpen': row(
    'El terminal {terminalId} aún tiene {count, plural, one {# pago pendiente} many {# de pagos pendientes} other {# pagos pendientes}}: {receipts}',
    'Esos pagos conservan el número de terminal {terminalId}. La caja sigue preguntando por ellos a la pasarela.',
    'Termínelos primero. Para cambiar de terminal de todos modos, marque la casilla prevista antes de vincular.',
  ),
  'tape.malformed': row(
    '{file} no es la grabación de un terminal: línea {line}: «{why}»',
    'Elija el archivo de una grabación.',
  ),
  'host.unreachable': row(
    'No se puede conectar con la pasarela: «{why}»',
    'No se ha cobrado: la solicitud nunca se envió.',
    'Compruebe la red. La caja envía automáticamente los pagos guardados.',
  ),
  'host.redirected': row(
    'La pasarela redirige la caja a otra dirección: «{why}»',
    'No se ha cobrado: la pasarela no procesó la solicitud, y la caja no la envió a ningún otro sitio.',
    'Pida al operador de la pasarela la dirección correcta e indíquela. La caja envía automáticamente los pagos guardados.',
  ),
  'gateway.plain': row(
    'La conexión con la pasarela en {url} no está cifrada: usa http simple por una red pública',
    'No se ha cobrado nada. La caja no envía allí ni pagos ni el token.',
    'Un técnico indica en la configuración la dirección https de la pasarela.',
  ),
  'gateway.plainUnallowed': row(
    'La conexión con la pasarela en {url} no está cifrada: quien esté en esa red puede leer tokens y pagos',
    'No se ha cobrado nada. La caja no envía allí ni pagos ni el token.',
    'Un técnico indica en la configuración la dirección https de la pasarela. Si no tiene ninguna, un encargado puede permitir esta dirección: la barra sobre las pantallas lleva a la página.',
  ),
  'gateway.encrypted': row(
    '{url} no necesita permiso: la conexión está cifrada o no sale de este equipo',
    'No hay nada que hacer.',
  ),
  'host.silent': row(
    'La pasarela no dio una respuesta válida: «{why}»',
    'No cobre otra vez. La caja pregunta a la pasarela automáticamente.',
  ),
  'counter.unknown': row('No hay ningún terminal {counter}', 'Elija uno de estos: {counters}.'),
  'live.already': row('Ya hay una caja en modo real en {folder}', 'Reinicie la caja: se abrirá la caja real.'),
  'live.notReady': row(
    'Aún no está hecho todo lo de la lista para pasar a modo real',
    'Haga lo que dice la lista y pase después a modo real.',
  ),
  'machine.other': row(
    'La carpeta de datos de esta caja pertenece a otro equipo',
    'No se ha cobrado nada. La caja no envía desde aquí ningún mensaje en espera.',
    'Un encargado decide si la carpeta se trasladó aquí o es una copia: la barra sobre las pantallas lleva a la página. Si al equipo de la caja se le dio un nombre, indíquelo en cada inicio.',
  ),
  'machine.behind': row(
    'La pasarela tiene pagos con el número de terminal de esta caja que faltan en su carpeta de datos: {count}',
    'Ahora no se ha cobrado nada. La caja no envía desde aquí ningún mensaje en espera.',
    'Si la carpeta es una copia antigua, un encargado incorpora estos pagos de la pasarela: la barra sobre las pantallas lleva a la página. Si otra caja vende con el mismo número, no incorpore nada: un técnico da a esta un número de terminal propio.',
  ),
  'machine.uncompared': row(
    'La pasarela aún no ha dado la lista de los pagos que conoce de esta caja',
    'No se pierde nada: los mensajes en espera se envían después.',
    'Compruebe la conexión e inténtelo de nuevo.',
  ),
  'machine.settled': row('La carpeta de datos de esta caja ya pertenece a este equipo', 'No hay nada que hacer.'),
  'machine.terminals': row(
    'Estos números de terminal no sirven para una copia: «{why}»',
    'Indique los números que el adquirente dio a estos terminales, uno para cada uno: {counters}.',
  ),
  'training.notHere': row('Esto no es posible en la práctica: usaría aparatos reales', 'Termine primero la práctica.'),
  'printer.none': row(
    'No hay ninguna impresora así configurada',
    notTheSale,
    'Añada una impresora en los ajustes, o muestre el recibo en la pantalla.',
  ),
  'printer.address': row(
    '«{text}» no es la dirección de una impresora',
    'Use escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 o escpos+usb:/dev/usb/lp0.',
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
    'El pago no se ve afectado. Este documento no se aceptó: imprímalo otra vez más tarde.',
    'Revise primero la impresora.',
  ),
  'printer.noDrawer': row(
    'Ninguna impresora tiene cajón de efectivo',
    'Indique en los ajustes a qué impresora está conectado el cajón.',
  ),
  'printer.picture': row(
    'No se puede imprimir la imagen {name}: «{why}»',
    'Use un archivo PNG de 1200 × 1200 puntos y 512 KB como máximo, mejor en blanco y negro.',
  ),
  'till.away': row(
    'El programa de la caja no responde',
    'Un pago en curso sigue solo y no se pierde.',
    'Espere un momento: esta página se conecta de nuevo sola.',
  ),
  'program.failed': row(
    'Algo imprevisto ha salido mal: «{why}»',
    'Todo lo registrado está a salvo.',
    'Reinicie la caja: termina automáticamente los pagos abiertos. Diga al soporte qué estaba haciendo.',
  ),
  'session.needed': row('Nadie ha entrado', 'Entre e inténtelo de nuevo. Un pago en curso continúa.'),
  'session.code': row(
    'Este código no es válido, o ya no lo es',
    'Use la dirección que la caja mostró en su último inicio. Cuando haya personal añadido, entre con su nombre.',
  ),
  'session.pinNeeded': row('Esto necesita su PIN: {what}', 'Introduzca su PIN.'),
  'session.notAllowed': row('{who} no puede hacer esto: {what}', 'Pida a un encargado que introduzca su PIN.'),
  'text.cardData': row(
    'Lo escrito contiene datos de tarjeta, que la caja solo guarda cifrados: {where}',
    'Quite el número de la tarjeta, el código de seguridad y los datos de la banda magnética, e inténtelo de nuevo.',
  ),
  'request.malformed': row('Los datos no son válidos: «{why}»', 'Corríjalos e inténtelo de nuevo.'),
  'request.foreign': row('La solicitud fue rechazada: «{why}»', 'Abra la página propia de la caja y entre allí.'),
  'staff.refused': row(
    'El nombre o el PIN no es correcto',
    'Inténtelo de nuevo. Tras cinco intentos incorrectos hay uno más por minuto.',
  ),
  'staff.locked': row(
    'Demasiados PIN incorrectos. Minutos hasta el próximo intento: {minutes}',
    'Espere e inténtelo de nuevo. En un navegador en el que ha entrado un encargado no cuentan los intentos incorrectos hechos en otro sitio.',
  ),
  'staff.notAllowed': row('{name} no puede hacer eso aquí', 'Pídalo a alguien que pueda.'),
  'staff.pinWeak': row('Este PIN no se acepta: «{why}»', 'Elija otro de 4 a 12 cifras.'),
  'staff.name': row('Un nombre tiene de 1 a 40 letras, espacios, puntos o guiones', 'Corríjalo e inténtelo de nuevo.'),
  'staff.known': row('{name} ya está en la lista de personal', 'Elija otro nombre, o quite primero a esa persona.'),
  'staff.newer': row(
    'Una versión más nueva de este programa registró sobre el personal algo que esta no puede leer: {what}',
    'No se cambió nada. Todos pueden entrar como antes.',
    'Inicie la versión más nueva y cambie el personal allí.',
  ),
  'staff.lastManager': row('{name} es el único encargado de esta caja', 'Añada primero a otro encargado.'),
  'till.notFound': row('No hay ningún pago con el número de recibo {receipt}', 'Compruebe el número en el recibo.'),
  'events.elsewhere': row(
    'La caja no conoce el evento a partir del cual debe seguir: lo comunicó otra caja, o esta copia lo ha perdido',
    'Lea de nuevo las listas de pagos y escuche después a partir de {here}.',
  ),
  'events.tooOld': row(
    'El evento a partir del cual la caja debe seguir es demasiado antiguo: lo que vino después no se comunica otra vez',
    'Lea de nuevo las listas de pagos y escuche después a partir de {here}.',
  ),
  'receipt.elsewhere': row(
    'El recibo {receipt} es de otra caja: ese pago se hizo con el terminal {terminalId}',
    'Búsquelo en la caja cuyos recibos llevan el terminal {terminalId}. Solo ella puede devolver el dinero.',
  ),
  'receipt.unknown': row(
    'Este código no es de ningún pago de esta caja',
    'Lea el número de terminal en el recibo y búsquelo en esa caja. Esta caja tiene el número {terminalId}.',
  ),
  'receipt.notYet': row(
    'El pago del recibo {receipt} no ha terminado todavía: aún no tiene recibo',
    'Su resultado dirá si se cobró. Todo está en orden.',
    'Pida el recibo otra vez cuando el pago haya terminado.',
  ),
  'till.nothingLeft': row('En el recibo {receipt} no queda nada que devolver: «{why}»', 'Mire el pago.'),
  'unpaid.none': row('Del recibo {receipt} no hay nada sin pagar', 'No cambia.', 'Mire el pago.'),
  'unpaid.underWay': row(
    'El recibo {receipt} ya se cobra de nuevo, con el recibo {again}',
    'Ese pago aún no tiene resultado: con otro cobro, el cliente podría pagar dos veces.',
    'Espere su resultado.',
  ),
  'unpaid.tooMuch': row(
    'Del recibo {receipt} hay {missing} sin pagar, pero el nuevo cobro es de {amount}',
    'Cobre el importe sin pagar, o menos.',
  ),
  'unpaid.cardSpent': row(
    'La marca de la tarjeta no permite más intentos con el recibo {receipt}',
    'Pida al cliente que pague de otra forma y registre después que el recibo se liquidó de otra forma.',
  ),
  'unpaid.notYet': row(
    'La marca de la tarjeta permite el próximo intento con el recibo {receipt} desde {from}',
    'Inténtelo entonces, o pida al cliente que pague de otra forma.',
  ),
  'till.refundTooHigh': row(
    'En el recibo {receipt} se pueden devolver como máximo {left}',
    'Devuelva ese importe o menos.',
  ),
  'till.cannotFollow': row(
    'No es posible para el recibo {receipt} ({operation}): «{why}»',
    'No se movió dinero por el recibo {receipt}.',
    'Mire el pago.',
  ),
  'till.unresolved': row(
    'Aún no se sabe el resultado del pago {sale}',
    'Puede que se haya cobrado al cliente. La caja lo está comprobando.',
    'No cobre otra vez. Espere a la pasarela, o llame al encargado.',
  ),
  'amount.malformed': row('«{text}» no es un importe en {currency}: «{why}»', 'Escríbalo así: 12.50.'),
  'amount.unpositive': row(
    'Un importe de {amount} no se puede cobrar ni devolver',
    'Escriba un importe mayor que cero.',
  ),
  'books.newer': row(
    'Una versión más nueva de este programa registró sobre el lote {batch} algo que esta no puede leer: {what}',
    'No se contó ni se cerró nada. Los pagos siguen y quedan en ese lote.',
    'Inicie la versión más nueva y cierre el lote allí.',
  ),
  'books.nothingToClose': row(
    'No hay nada que cerrar: no se empezó ningún pago desde el último cierre',
    'Mire los lotes cerrados.',
  ),
});
