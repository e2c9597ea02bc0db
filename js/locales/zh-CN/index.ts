/** The Chinese catalogue: the set of keys that every other language must have. */

import { account } from "./account";
import { admin } from "./admin";
import { blacklist } from "./blacklist";
import { channel } from "./channel";
import { chart } from "./chart";
import { compliance } from "./compliance";
import { codes } from "./codes";
import { dict } from "./dict";
import { feedback } from "./feedback";
import fields from "./fields.json";
import { leads } from "./leads";
import { logs } from "./logs";
import { match } from "./match";
import { menu } from "./menu";
import { messages as box } from "./messages";
import { org } from "./org";
import { plan } from "./plan";
import { product } from "./product";
import { project } from "./project";
import { push } from "./push";
import { receipt } from "./receipt";
import { returns } from "./returns";
import { role } from "./role";
import { server } from "./server";
import { session } from "./session";
import { setting } from "./setting";
import { shell } from "./shell";
import { sms } from "./sms";
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
  ...channel,
  ...account,
  ...admin,
  ...blacklist,
  ...chart,
  ...compliance,
  ...dict,
  ...feedback,
  ...leads,
  ...logs,
  ...match,
  ...menu,
  ...box,
  ...org,
  ...plan,
  ...product,
  ...project,
  ...push,
  ...receipt,
  ...returns,
  ...role,
  ...server,
  ...session,
  ...setting,
  ...sms,
  ...terms,
  ...user,
  ...uv,
  ...workplace,
};
