/** Texts of the general settings. What each setting is called and does comes with the setting. */
export const words = {
  "setting.title": "通用设置",
  "setting.intro": "修改后一秒内在所有服务器上生效，每次修改都记入操作日志。",
  "setting.edit": "编辑",
  "setting.editGroup": "编辑“{name}”",
  "setting.default": "默认",
  "setting.updated": "{name} 于 {time} 修改",
  "setting.on": "开",
  "setting.off": "关",
  "setting.restore": "恢复默认：{value}",
  "setting.empty": "空",
  "setting.secretSet": "已设置（{time}）",
  "setting.secretNone": "未设置",
  "setting.secretKeep": "已设置，留空则保持不变",
  "setting.secretClear": "清除",
  "setting.httpsOnly": "请输入以 https:// 开头的网址",
  "setting.conflict": "其他人刚刚修改了这些设置，没有改动过的项目已换成最新的值，请核对后再保存。",
  "setting.saved": "设置已保存",
  "setting.unit.milliseconds": "毫秒",
  "setting.unit.minutes": "分钟",
  "setting.unit.hours": "小时",
  "setting.unit.days": "天",
  "setting.unit.times": "次",
  "setting.unit.characters": "个字符",
  "setting.unit.rows": "行",
  "setting.unit.organisations": "家",
  "setting.unit.visitors": "人",
  "setting.unit.leads": "条",
  "setting.unit.passwords": "个",
  "setting.previewRemoval": "预览今晚会清除的数量",
  "setting.removesNone": "今晚没有要清除的",
  "setting.removes": "今晚会清除 {count} 条，最早的是 {oldest}",
  "setting.removesMore": "今晚会清除超过 {count} 条，最早的是 {oldest}",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
