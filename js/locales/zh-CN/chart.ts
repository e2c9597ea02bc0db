/** Texts of charts and of the page of them. */
export const chart = {
  "chart.page": "数据可视化",
  "chart.range": "时间范围",
  "chart.days": "近 {days} 天",
  "chart.from": "从",
  "chart.to": "到",
  "chart.show": "查看",
  "chart.colon": "：",
  "chart.total": "{name} 合计 {total}",
  "chart.sum": "合计",
  "chart.table": "数据表",
  "chart.tableOf": "{title}的数据表",
  "chart.csv": "下载“{title}”的表格（CSV）",
  "chart.png": "下载“{title}”的图片（PNG）",
  "chart.none": "这段时间没有数据",
  "chart.nothing": "没有可以查看的图表",
  "chart.nothingText": "图表按您的权限显示；需要更多数据请联系管理员。",
};
