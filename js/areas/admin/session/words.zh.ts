/** Texts of the list of open sessions. */
export const words = {
  "session.title": "在线用户",
  "session.empty": "登录后没有退出、也没有过期的账号会列在这里。",
  "session.session": "会话",
  "session.current": "当前会话",
  "session.role": "当前角色",
  "session.createdAt": "登录时间",
  "session.lastSeenAt": "最近活动",
  "session.expiresAt": "到期时间",
  "session.end": "强制下线",
  "session.endTitle": "让“{name}”下线？",
  "session.endText": "下一次操作时会回到登录页，没有保存的内容会丢失。要阻止再次登录，请停用账号。",
  "session.endManyTitle": "让选中的 {count} 个会话下线？",
  "session.ended": "已强制下线",
  "session.onlyCurrent": "要结束当前会话，请退出登录",
};

type Chinese = typeof words;

declare module "../../../lib/messages" {
  interface Texts extends Chinese {}
}
