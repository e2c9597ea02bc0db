/** One's own data as the user centre shows it. */
import type { Profile } from "../../lib/api-types";
import { EMPTY, text } from "../../lib/format";
import { useT } from "../../lib/i18n";
import { Tag } from "../../ui/tag";

/** One's portrait, or the first letter of one's name. */
export function Face({ profile: { avatar, name }, large }: { profile: Profile; large?: boolean }) {
  const size = large ? 80 : 48;
  return (
    <span className={large ? "account-face is-large" : "account-face"} aria-hidden="true">
      {avatar ? <img src={avatar} alt="" width={size} height={size} /> : String.fromCodePoint(name.codePointAt(0) ?? 63).toUpperCase()}
    </span>
  );
}

/** The viewer's data, as names and values. */
export function Facts({ profile }: { profile: Profile }) {
  const t = useT();
  const { personalWebsite: website } = profile;
  const facts = [
    ["account.name", profile.name],
    ["account.username", profile.username],
    ["account.accountId", profile.accountId],
    ["account.role", profile.roleName],
    ["account.organization", profile.organization],
    ["account.job", text(profile.job)],
    ["account.email", text(profile.email)],
    ["account.phone", text(profile.phone)],
    [
      "account.certification",
      <Tag key="tag" color={profile.certification ? "green" : "gray"}>
        {t(profile.certification ? "account.certified" : "account.uncertified")}
      </Tag>,
    ],
    ["account.location", text(profile.location)],
    [
      "account.personalWebsite",
      website && /^https?:/i.test(website) ? (
        <a key="link" className="ll-link" href={website} target="_blank" rel="noreferrer noopener">
          {website}
        </a>
      ) : (
        EMPTY
      ),
    ],
    ["account.registrationDate", profile.registrationDate],
    ["account.introduction", text(profile.introduction)],
  ] as const;
  return (
    <dl className="ll-details">
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{t(title)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
