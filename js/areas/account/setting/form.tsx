/** The forms of one's own data. A lazy chunk: it loads when they are edited. */
import { useState } from "react";
import * as z from "zod/mini";

import { api, ApiError } from "../../../lib/api";
import type { Profile, ProfileForm, StoredFile } from "../../../lib/api-types";
import { type Translate, useT } from "../../../lib/i18n";
import { fieldLimits, profileLimits } from "../../../lib/limits";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { Icon } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";
import { Upload } from "../../../ui/upload";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const URL = /^https?:\/\/\S+$/i;

interface Editing {
  overlay: Overlay<Profile>;
  t: Translate;
  profile: Profile;
}

/** The fields of the form; users cannot change the others. */
function formOf({ version, avatarFileId, email, job, location, personalWebsite, introduction }: Profile): ProfileForm {
  return { version, avatarFileId, email, job, location, personalWebsite, introduction };
}

/** The dialog of one's data; it closes with what was saved. */
export function editProfile({ overlay, t, profile }: Editing) {
  const rule = rules(t);
  const schema = z.object({
    job: rule.optional(profileLimits.job),
    email: rule.optional(fieldLimits.email, EMAIL, t("ui.rule.email")),
    location: rule.optional(profileLimits.location),
    personalWebsite: rule.optional(fieldLimits.address, URL, t("ui.rule.url")),
    introduction: rule.optional(profileLimits.introduction),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "job", label: "account.job", kind: "text" },
      { name: "email", label: "account.email", kind: "text", type: "email" },
      { name: "location", label: "account.location", kind: "text" },
      { name: "personalWebsite", label: "account.personalWebsite", kind: "text", type: "url", placeholder: "https://" },
      { name: "introduction", label: "account.introduction", kind: "area", wide: true },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("account.editTitle")}
      draft="account"
      form={form}
      record={profile}
      save={(values, current) => api.put<Profile>("/account/profile", { ...formOf(current), ...values }, { quiet: true })}
    />
  );
}

/** The dialog of one's portrait; it closes with what was saved. */
export function editFace({ overlay, profile }: Editing) {
  return <FaceDialog overlay={overlay} profile={profile} />;
}

function FaceDialog({ overlay, profile }: Omit<Editing, "t">) {
  const t = useT();
  const [files, setFiles] = useState<readonly StoredFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [refusal, setRefusal] = useState("");
  const save = async (avatarFileId: number | null) => {
    setBusy(true);
    try {
      overlay.close(await api.put<Profile>("/account/profile", { ...formOf(profile), avatarFileId }, { quiet: true }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.desc);
      setBusy(false);
    }
  };
  const [file] = files;
  return (
    <Dialog overlay={overlay} title={t("account.changeFace")} shape="small">
      <div className="ll-dialog-body">
        {refusal && (
          <p className="ll-alert ll-alert-error" role="alert">
            <Icon name="warning" />
            {refusal}
          </p>
        )}
        <Upload label={t("account.faceLabel")} bizType="avatar" pictures files={files} onChange={setFiles} onBusy={setUploading} />
      </div>
      <footer className="ll-dialog-foot">
        {profile.avatarFileId !== null && (
          <Button disabled={busy} onClick={() => void save(null)}>
            {t("account.removeFace")}
          </Button>
        )}
        <Button onClick={() => overlay.close()}>{t("ui.cancel")}</Button>
        <Button look="primary" busy={busy} disabled={!file || uploading} onClick={() => file && void save(file.id)}>
          {t("ui.save")}
        </Button>
      </footer>
    </Dialog>
  );
}
