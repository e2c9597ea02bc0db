/** Texts of the pages that show how a submission ended. */
export const words = {
  "result.successTitle": "提交成功",
  "result.successText": "项目“{name}”（{no}）已提交，可以在这里查看办理进度。",
  "result.launchedTitle": "项目已正式上线",
  "result.launchedText": "项目“{name}”（{no}）已完成全部步骤。",
  "result.otherTitle": "项目{status}",
  "result.otherText": "项目“{name}”现在的状态是“{status}”。",
  "result.progress": "办理进度",
  "result.print": "打印结果",
  "result.toList": "返回项目列表",
  "result.toProfile": "查看项目详情",
  "result.errorTitle": "项目被退回",
  "result.errorText": "请核对以下信息，修改项目“{name}”后重新提交。",
  "result.details": "您提交的内容有以下问题：",
  "result.note": "说明：{note}",
  "result.nothingWrong": "没有需要修改的内容",
  "result.nothingWrongText": "项目“{name}”现在的状态是“{status}”。",
  "result.goBack": "返回",
  "result.correct": "返回修改",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
