/** The address that counts a channel's visitors as a QR code, once it is asked for. */
import { useState } from "react";

import type { ChannelQr } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { useOrigin } from "../../../lib/origin";
import { Button } from "../../../ui/button";
import { reported } from "../../../ui/description";

export function QrCode({ id }: { id: number }) {
  const t = useT();
  const origin = useOrigin();
  const [code, setCode] = useState<ChannelQr | null>(null);
  const [busy, setBusy] = useState(false);
  const show = () => {
    setBusy(true);
    api
      .get<ChannelQr>(`/channel/qr/${id}?origin=${encodeURIComponent(origin)}`)
      .then(setCode, reported)
      .finally(() => setBusy(false));
  };
  if (code === null)
    return (
      <Button busy={busy} onClick={show}>
        {t("channel.showQr")}
      </Button>
    );
  const { address, path, size } = code;
  return (
    <>
      <svg
        className="block w-[min(100%,220px)] rounded-box"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t("channel.qr", { address })}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" shapeRendering="crispEdges" />
      </svg>
      <p className="ll-hint">{address}</p>
    </>
  );
}
