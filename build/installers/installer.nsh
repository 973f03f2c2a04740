; Included by electron-builder's script for Windows, which leaves this much to who asks for the end of a till by himself.
!include "getProcessInfo.nsh"
Var pid

; A till that runs is asked to end in peace: a sale under way is brought to its end first, which takes two minutes at
; most. An update has ended its own till before it starts the installer. What still runs then is ended as electron-builder
; does it, and starts again with its journal.
!macro customCheckAppRunning
  !insertmacro IS_POWERSHELL_AVAILABLE
  ${ifNot} ${isUpdated}
  ${andIf} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    nsExec::Exec '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --end'
    Pop $R0
    StrCpy $R1 0
    ${do}
      !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
      ${if} $R0 != 0
      ${orIf} $R1 >= 150
        ${exitDo}
      ${endIf}
      Sleep 1000
      IntOp $R1 $R1 + 1
    ${loop}
  ${endIf}
  !insertmacro _CHECK_APP_RUNNING
!macroend
