/** /project/list: new partners on their way in. What is done with one of them is on its own page. */
import { ListPage } from "../../../ui/list-page";
import { projectFields, projectFilters } from "./fields";
import { formOf, isOpen, isOwn, mayDecide, profileOf } from "./status";

export default function ProjectList() {
  return (
    <ListPage
      title="project.title"
      empty="project.empty"
      api="/project"
      points="project/list"
      fields={projectFields}
      filters={projectFilters}
      create={{ label: "project.create", href: "/project/form" }}
      actions={[
        { label: "project.view", point: "view", run: ({ id }, { go }) => go(profileOf(id)) },
        {
          label: "project.continue",
          point: "create",
          when: (row, viewer) => row.status === "draft" && isOwn(row, viewer),
          run: (row, { go }) => go(formOf(row)),
        },
        {
          label: "project.edit",
          point: "update",
          when: (row, viewer) => row.status === "returned" && isOwn(row, viewer),
          run: (row, { go }) => go(formOf(row)),
        },
        {
          label: "project.returnedFor",
          point: "view",
          when: ({ status }) => status === "returned",
          run: ({ id }, { go }) => go(`/result/error?id=${id}`),
        },
        {
          label: "project.approve",
          point: "audit",
          when: mayDecide,
          run: async (row, list) => (await import("./decide")).approve(row, list),
        },
        {
          label: "project.return",
          point: "audit",
          when: mayDecide,
          run: async (row, list) => (await import("./decide")).sendBack(row, list),
        },
        {
          label: "project.withdraw",
          point: "withdraw",
          danger: true,
          when: (row, viewer) => isOpen(row) && isOwn(row, viewer),
          run: async (row, list) => (await import("./decide")).withdraw(row, list),
        },
      ]}
    />
  );
}
