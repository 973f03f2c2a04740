/** What went wrong with cards, terminals, the line and printers, in Arabic. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'لم يُخصم شيء.';
const untilAsked = 'غير معروف حتى يسأل الصندوق.';
const notTheSale = 'الدفعة لا تتأثر بذلك.';
const cardAgain = 'جرّب البطاقة مرة أخرى.';

export const faultsOfDevices: SaidTables['faults'] = {
  'hex.malformed': row('نص سداسي عشري من {length} حرفًا غير سليم', nothing, 'صححه وحاول مرة أخرى.'),
  'tlv.malformed': row('بيانات TLV غير سليمة عند البايت {offset}: «{why}»', nothing, cardAgain),
  'emv.malformed': row('بيانات بطاقة غير سليمة («{what}»): «{why}»', nothing, cardAgain),
  'key.malformed': row(
    'لا يصلح «{what}» مفتاحًا ولا رقمًا تسلسليًا لمفتاح: «{why}»',
    nothing,
    'اطلب فحص مفاتيح جهاز الدفع.',
  ),
  'key.exhausted': row('استُنفد المفتاح ذو الرقم التسلسلي {ksn}', nothing, 'اطلب تحميل مفاتيح جديدة في جهاز الدفع.'),
  'pin.block': row('كتلة الرمز السري ليست بالصيغة {format}: «{why}»', nothing, 'اطلب إدخال الرمز السري مرة أخرى.'),
  'link.unavailable': row(
    'تعذر فتح المنفذ {port}: «{why}»',
    nothing,
    'افحص الكابل وتأكد أن المنفذ لا يشغله برنامج آخر.',
  ),
  'link.lost': row(
    'فُقد الاتصال بجهاز الدفع على {port}: «{why}»',
    untilAsked,
    'افحص الكابل. يسأل الصندوق بوابة الدفع تلقائيًا.',
  ),
  'terminal.silent': row(
    'لم يُجب جهاز الدفع عن «{command}» خلال {ms} ms',
    untilAsked,
    'افحص جهاز الدفع. يسأل الصندوق بوابة الدفع تلقائيًا.',
  ),
  'terminal.garbled': row('أرسل جهاز الدفع {bytes} بايت ليست جوابًا', untilAsked, 'افحص الكابل وطراز جهاز الدفع.'),
  'terminal.stray': row(
    'أرسل جهاز الدفع جوابًا من {bytes} بايت لا ينتظره أحد',
    'لم يُتخذ بناءً عليه أي إجراء.',
    'لا شيء. اطلب فحص جهاز الدفع إذا تكرر ذلك كثيرًا.',
  ),
  'terminal.strays': row(
    'أرسل جهاز الدفع رسائل أخرى لا ينتظرها أحد، وعددها {count}',
    'لم يُتخذ بناءً على أي منها أي إجراء.',
    'اطلب فحص جهاز الدفع.',
  ),
  'terminal.refused': row(
    'رفض جهاز الدفع «{command}» بالحالة {status}: «{why}»',
    nothing,
    'حاول مرة أخرى، وإذا تكرر الأمر فأعد تشغيل جهاز الدفع.',
  ),
  'terminal.unclear': row(
    'أنهى جهاز الدفع «{command}» بـ {status}: «{why}»',
    untilAsked,
    'لا تحصّل مرة أخرى. يسأل الصندوق جهاز الدفع تلقائيًا.',
  ),
  'terminal.busy': row('جهاز الدفع مشغول: «{command}»', nothing, 'انتظر حتى ينتهي أو ألغِ ما يفعله.'),
  'terminal.unready': row('لا يستطيع جهاز الدفع قبول البطاقات: «{why}»', nothing, 'اطلب فحص جهاز الدفع.'),
  'terminal.warned': row('يحذر جهاز الدفع: «{text}»', nothing, 'عالج ذلك قبل الازدحام القادم.'),
  'terminal.unknown': row(
    '«{text}» ليس عنوان جهاز دفع',
    nothing,
    'استخدم mpi+tcp://127.0.0.1:7000 أو mpi+serial:/dev/ttyACM0 أو مسار منفذ تسلسلي.',
  ),
  'terminal.unpaired': row('لا يعرف هذا الصندوق أي جهاز دفع', nothing, 'ابحث عن جهاز واربطه في قسم الفني تحت «الربط».'),
  'terminal.other': row(
    'يجيب جهاز دفع آخر على {address}: الرقم التسلسلي {serial}، وهذا الصندوق مربوط بـ {paired}',
    nothing,
    'صِل الجهاز المربوط أو اربط هذا الجهاز.',
  ),
  'terminal.notFound': row('لم يُجب أي جهاز دفع: «{why}»', nothing, 'شغّل جهاز الدفع وافحص الكابل ثم ابحث مرة أخرى.'),
  'terminal.cannot': row(
    'جهاز الدفع في هذا الصندوق يصرّح بنفسه ولا ينفذ «{operation}»',
    nothing,
    'نفذ ذلك على جهاز الدفع نفسه أو في صندوق له قارئ بطاقات.',
  ),
  'pairing.salesOpen': row(
    'ما زالت على جهاز الدفع {terminalId} دفعات مفتوحة: «{count}, {receipts}»',
    'تحتفظ هذه الدفعات برقم جهاز الدفع {terminalId}. يواصل الصندوق سؤال بوابة الدفع عنها.',
    'أنهِها أولًا. ولتغيير جهاز الدفع مع ذلك، ضع العلامة المخصصة قبل الربط.',
  ),
  'tape.malformed': row('{file} ليس تسجيلًا لجهاز دفع: السطر {line}: «{why}»', nothing, 'اختر ملف تسجيل.'),
  'host.unreachable': row(
    'تعذر الوصول إلى بوابة الدفع: «{why}»',
    'لم يُخصم شيء: لم يُرسل الطلب قط.',
    'افحص الشبكة. تُرسل الدفعات المحفوظة تلقائيًا.',
  ),
  'host.silent': row(
    'لم تعطِ بوابة الدفع جوابًا صالحًا: «{why}»',
    untilAsked,
    'لا تحصّل مرة أخرى. يسأل الصندوق بوابة الدفع تلقائيًا.',
  ),
  'counter.unknown': row('لا يوجد جهاز دفع {counter}', nothing, 'اختر واحدًا من هذه: {counters}.'),
  'training.notHere': row('لا يُفعل هذا في التدريب: فقد يصل إلى أجهزة حقيقية', nothing, 'أنهِ التدريب أولًا.'),
  'printer.none': row('لا توجد طابعة كهذه مُعدّة', notTheSale, 'أضف طابعة في الإعدادات أو اعرض الإيصال على الشاشة.'),
  'printer.address': row(
    '«{text}» ليس عنوان طابعة',
    nothing,
    'اكتب escpos+tcp://192.168.1.50:9100 أو escpos+serial:/dev/ttyUSB0 أو escpos+usb:/dev/usb/lp0.',
  ),
  'printer.known': row('توجد طابعة باسم {name} من قبل', nothing, 'اختر اسمًا آخر أو أزل تلك الطابعة أولًا.'),
  'printer.away': row(
    'الطابعة {name} لا تجيب: «{why}»',
    `${notTheSale} ما دام الصندوق يعمل فإنه يحتفظ بالورقة ويطبعها عند عودة الطابعة.`,
    'شغّل الطابعة وافحص كابلها.',
  ),
  'printer.paperOut': row(
    'نفد ورق الطابعة {name}',
    `${notTheSale} ما دام الصندوق يعمل فإنه يحتفظ بالورقة ويطبعها عند وضع لفة جديدة.`,
    'ضع لفة جديدة وأغلق الغطاء.',
  ),
  'printer.coverOpen': row(
    'غطاء الطابعة {name} مفتوح',
    `${notTheSale} ما دام الصندوق يعمل فإنه يحتفظ بالورقة ويطبعها عند إغلاق الغطاء.`,
    'أغلق الغطاء.',
  ),
  'printer.error': row(
    'تبلّغ الطابعة {name} عن خطأ: «{why}»',
    `${notTheSale} ما دام الصندوق يعمل فإنه يحتفظ بالورقة.`,
    'افحص الطابعة، وأطفئها ثم شغّلها من جديد.',
  ),
  'printer.full': row(
    'عدد الأوراق التي تنتظر الطابعة {name} بلغ {waiting}',
    `${notTheSale} لم تُقبل هذه الورقة: اطبعها مرة أخرى لاحقًا.`,
    'عالج أمر الطابعة أولًا.',
  ),
  'printer.noDrawer': row('لا طابعة لها درج نقود', nothing, 'حدد في الإعدادات الطابعة التي وُصل بها الدرج.'),
  'printer.picture': row(
    'تعذرت طباعة الصورة {name}: «{why}»',
    nothing,
    'استخدم ملف PNG لا يتجاوز 1200 × 1200 نقطة و512 KB، ويفضل بالأبيض والأسود.',
  ),
};
