/** The Chinese catalogue: the set of keys that every other language must have. */

import { account } from "./account";
import { achievement } from "./achievement";
import { admin } from "./admin";
import { agreement } from "./agreement";
import { blacklist } from "./blacklist";
import { center } from "./center";
import { channel } from "./channel";
import { chart } from "./chart";
import { chat } from "./chat";
import { chatGroup } from "./chat-group";
import { chatReply } from "./chat-reply";
import { chatStaff } from "./chat-staff";
import { chatWechat } from "./chat-wechat";
import { compliance } from "./compliance";
import { clue } from "./clue";
import { customer } from "./customer";
import { codes } from "./codes";
import { dict } from "./dict";
import { feedback } from "./feedback";
import fields from "./fields.json";
import { finance } from "./finance";
import { leads } from "./leads";
import { logs } from "./logs";
import { match } from "./match";
import { menu } from "./menu";
import { messages as box } from "./messages";
import { money } from "./money";
import { overview } from "./overview";
import { org } from "./org";
import { payChannel } from "./pay-channel";
import { payOrder } from "./pay-order";
import { plan } from "./plan";
import { product } from "./product";
import { project } from "./project";
import { proposal } from "./proposal";
import { push } from "./push";
import { receipt } from "./receipt";
import { returns } from "./returns";
import { role } from "./role";
import { salespeople } from "./salespeople";
import { server } from "./server";
import { session } from "./session";
import { setting } from "./setting";
import { shell } from "./shell";
import { sms } from "./sms";
import { stat } from "./stat";
import { terms } from "./terms";
import { ui } from "./ui";
import { user } from "./user";
import { uv } from "./uv";
import { workplace } from "./workplace";

export const messages = {
  ...codes,
  ...fields,
  ...shell,
  ...ui,
  ...center,
  ...channel,
  ...clue,
  ...account,
  ...achievement,
  ...admin,
  ...agreement,
  ...blacklist,
  ...chart,
  ...chat,
  ...chatGroup,
  ...chatReply,
  ...chatStaff,
  ...chatWechat,
  ...compliance,
  ...customer,
  ...dict,
  ...feedback,
  ...finance,
  ...leads,
  ...logs,
  ...match,
  ...menu,
  ...box,
  ...money,
  ...overview,
  ...org,
  ...payChannel,
  ...payOrder,
  ...plan,
  ...product,
  ...project,
  ...proposal,
  ...push,
  ...receipt,
  ...returns,
  ...role,
  ...salespeople,
  ...server,
  ...session,
  ...setting,
  ...sms,
  ...stat,
  ...terms,
  ...user,
  ...uv,
  ...workplace,
};

type Chinese = typeof messages;

declare module "../../lib/messages" {
  interface Texts extends Chinese {}
}
